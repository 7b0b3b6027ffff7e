static unsigned char var0;
static signed short var1 = 3;
static long int var2;
static unsigned int var3 = 8;
static int var4, var5 = 1;
static long var6;
static char var7 = 'x';

int twist(int seed)
{
    int local = seed;
    unsigned mask = 7;
    local = ((local + (var4)) ^ ((mask) | (seed)));
    var2 = ((((long) (var5)) + ((var6) * ((int) (local)))) - (((var3))));
    if ((var7) == ('x')) {
        var6 = (((var2) << (2)) | ((var5) & ((1))));
    }
    var0 = (unsigned char) ((((long int) ((signed short) (((var0) = ((9) > (((var1) = ((var1)
        + ((8) * ((var3) - (1))))))))))) + (((var2) - ((local))))) * ((((mask)))));
    var4 = ((var0) > (2)) ? (((var4)) || ((var5) && (((var6)) != (0)))) : ((~((var3)) & ((mask))));
    while (((local)) > ((0))) {
        local = ((local) - (((1))));
        var4 = (((var4)) + ((local) % ((3))));
    }
    return ((int) ((var0) + ((var1) * ((2)))));
}

int main(void)
{
    var5 = twist((((1)) + ((2))));
    return (((var5)) == ((0))) ? (0) : (((var4)));
}
