public class Auth {
    private String usr, pwd;

    public Auth(String usr, String pwd) {
        this.usr = usr;
        this.pwd = pwd;
    }

    public boolean login() {
        if (usr.equals("usr") && pwd.equals("pwd"))
            return true;
        else
            return false;
    }
}
