"""Everything with axes: what a chart shows as data, and pyqtgraph, which shows it.

`description` says what a chart shows; `block` puts it on a page and into a picture; `scene` is the
only module that imports pyqtgraph, and nothing imports it before a chart is drawn.
"""
