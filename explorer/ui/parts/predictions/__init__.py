"""How predictions look: cards at masks, two models beside each other, classes, one by one."""
