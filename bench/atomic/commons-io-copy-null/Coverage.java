import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jacoco.agent.rt.IAgent;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.tools.ExecFileLoader;
import org.jacoco.report.IReportVisitor;
import org.jacoco.report.xml.XMLFormatter;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/**
 * Runs JUnit tests one by one below JaCoCo's agent. For each test there is the coverage of it alone,
 * for each class of tests the outcomes in JUnit's format.
 *
 * <p>Arguments: the folder to write to, the folder with the classes, the classes of tests.
 */
public class Coverage {
    public static void main(String[] args) throws Exception {
        Path out = Paths.get(args[0]);
        Path classes = Paths.get(args[1]);
        IAgent agent = RT.getAgent();
        for (int place = 2; place < args.length; place++) {
            Class<?> suite = Class.forName(args[place]);
            List<Description> tests = Request.aClass(suite).getRunner().getDescription()
                    .getChildren().stream()
                    .sorted(Comparator.comparing(Description::getMethodName))
                    .collect(Collectors.toList());
            try (PrintWriter outcomes = writer(out.resolve("TEST-" + args[place] + ".xml"))) {
                outcomes.println("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
                outcomes.printf("<testsuite name=\"%s\" tests=\"%d\">%n", args[place], tests.size());
                for (Description test : tests) {
                    agent.reset();
                    Result result =
                            new JUnitCore().run(Request.method(suite, test.getMethodName()));
                    byte[] executed = agent.getExecutionData(true);
                    write(outcomes, test, result);
                    String name = suite.getSimpleName() + "." + test.getMethodName();
                    report(executed, classes, name, out.resolve(name + ".xml"));
                }
                outcomes.println("</testsuite>");
            }
        }
        System.exit(0);
    }

    private static PrintWriter writer(Path path) throws IOException {
        return new PrintWriter(Files.newBufferedWriter(path));
    }

    private static void write(PrintWriter outcomes, Description test, Result result) {
        outcomes.printf("  <testcase classname=\"%s\" name=\"%s\"", test.getClassName(),
                test.getMethodName());
        if (result.wasSuccessful()) {
            outcomes.println("/>");
            return;
        }
        Failure failure = result.getFailures().get(0);
        String kind = failure.getException() instanceof AssertionError ? "failure" : "error";
        outcomes.printf(">%n    <%s type=\"%s\"/>%n  </testcase>%n", kind,
                failure.getException().getClass().getName());
    }

    /** Writes what was executed, of the classes of which something was. */
    private static void report(byte[] executed, Path classes, String name, Path to)
            throws IOException {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(new ByteArrayInputStream(executed));
        ExecutionDataStore store = loader.getExecutionDataStore();
        CoverageBuilder coverage = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(store, coverage);
        for (ExecutionData data : store.getContents()) {
            Path file = classes.resolve(data.getName() + ".class");
            if (data.hasHits() && Files.exists(file)) {
                try (InputStream bytes = Files.newInputStream(file)) {
                    analyzer.analyzeClass(bytes, data.getName());
                }
            }
        }
        try (OutputStream xml = Files.newOutputStream(to)) {
            IReportVisitor visitor = new XMLFormatter().createVisitor(xml);
            visitor.visitInfo(loader.getSessionInfoStore().getInfos(), store.getContents());
            visitor.visitBundle(coverage.getBundle(name), null);
            visitor.visitEnd();
        }
    }
}
