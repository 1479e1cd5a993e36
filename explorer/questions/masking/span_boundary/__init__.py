"""What do the two words beside a masked span say of every word in it?"""
