import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** Runs one method of a JUnit test: 0 if it passes, 1 if an assertion fails, else 125. */
public class OneTest {
    public static void main(String[] args) throws Exception {
        Result result = new JUnitCore().run(Request.method(Class.forName(args[0]), args[1]));
        if (result.wasSuccessful()) {
            System.exit(result.getRunCount() == 1 ? 0 : 125);
        }
        boolean byAssertion = true;
        for (Failure failure : result.getFailures()) {
            Description test = failure.getDescription();
            System.out.println(test.getDisplayName() + ": " + failure.getException());
            byAssertion &= failure.getException() instanceof AssertionError;
        }
        System.exit(byAssertion ? 1 : 125);
    }
}
