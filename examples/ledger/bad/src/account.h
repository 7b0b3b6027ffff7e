#ifndef ACCOUNT_H
#define ACCOUNT_H

/* How many accounts an account is below: 1 for `assets:bank`. */
int account_depth(const char *name);

#endif
