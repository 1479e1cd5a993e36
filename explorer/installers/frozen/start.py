"""Where a bundle starts: as the program, or as another process of the program's own code."""

import multiprocessing
import sys

if __name__ == "__main__":
    from explorer.processes import own_processes

    own_processes.give_back_system_libraries()
    # Ends here where a library has asked for another process.
    multiprocessing.freeze_support()
    if own_processes.run_asked(sys.argv[1:]):
        sys.exit(0)
    from explorer.cli import main

    sys.exit(main())
