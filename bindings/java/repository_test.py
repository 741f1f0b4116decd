#!/usr/bin/env python3
"""What make-repository makes is complete, the same each time, and what Maven and spark-submit take.

usage: repository_test.py SOURCE JAVA_OUTPUT [unittest arguments]

JAVA_OUTPUT is build/PRESET/java. Maven's plugins and the libraries of others come from its local repository, or
from Maven Central.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

URL = "https://ndc.example/ndc"
MODULES = {
    "ndc": "io.ndc",
    "ndc-nutch": "io.ndc.nutch",
    "ndc-heritrix": "io.ndc.heritrix",
    "ndc-stormcrawler": "io.ndc.stormcrawler",
    "ndc-spark": "io.ndc.spark",
    "ndc-kafka": "io.ndc.kafka",
}
POM = "{http://maven.apache.org/POM/4.0.0}"

PROGRAM = """
import io.ndc.NearDuplicates;
import io.ndc.Options;

public final class Consumer {
  public static void main(String[] arguments) {
    try (NearDuplicates pages = NearDuplicates.inMemory(Options.builder().keepText(true).build())) {
      byte[] body = "<p>The council will rebuild the lighthouse before the spring comes.</p>".getBytes();
      System.out.println(
          pages.check("http://a.example/", body, "text/html").verdict() + " " + NearDuplicates.version());
    }
  }
}
"""

PROJECT = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>consumer</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories>
    <repository>
      <id>ndc</id>
      <url>{repository}</url>
      <releases><checksumPolicy>fail</checksumPolicy></releases>
    </repository>
    <repository><id>local</id><url>{local}</url></repository>
  </repositories>
  <pluginRepositories>
    <pluginRepository><id>local</id><url>{local}</url></pluginRepository>
  </pluginRepositories>
  <dependencies>
    <dependency><groupId>io.ndc</groupId><artifactId>ndc-heritrix</artifactId><version>{version}</version></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
      <plugin><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version></plugin>
    </plugins>
  </build>
</project>
"""


def gradle_version():
    """(0, 0): it is not installed."""
    if not shutil.which("gradle"):
        return 0, 0
    said = subprocess.run(["gradle", "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in re.search(r"^Gradle (\d+)\.(\d+)", said, re.MULTILINE).groups())


def local_repository():
    """Where the build had JUnit from: settings may name any folder, and Maven's home need not be $HOME."""
    jars = (OUTPUT / "ndc/test-classpath").read_text(encoding="utf-8").split(":")
    return Path(next(jar for jar in jars if "/org/junit/" in jar).rpartition("/org/junit/")[0])


def make(source, directory, **environment):
    subprocess.run(
        [
            source / "bindings/java/make-repository",
            "--url",
            URL,
            "--natives",
            OUTPUT,
            "--source",
            source,
            "--output",
            directory / "output",
            directory / "repository",
        ],
        check=True,
        env={**os.environ, **environment},
    )
    return directory / "repository"


class RepositoryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.repository = make(SOURCE, cls.folder / "first")
        cls.version = next((cls.repository / "io/ndc/ndc").glob("*/")).name

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def file(self, artifact, kind):
        return self.repository / "io/ndc" / artifact / self.version / f"{artifact}-{self.version}{kind}"

    def test_poms(self):
        for artifact in ["ndc-parent", *MODULES]:
            pom = xml.parse(self.file(artifact, ".pom")).getroot()
            for name in (
                "name",
                "description",
                "url",
                "licenses/{0}license/{0}url",
                "developers/{0}developer/{0}name",
                "scm/{0}url",
                "scm/{0}connection",
            ):
                self.assertTrue(pom.findtext(POM + name.format(POM)), f"{artifact}: {name}")
            self.assertEqual(pom.findtext(POM + "url"), URL)
            self.assertFalse(pom.findtext(f"{POM}parent/{POM}relativePath"))

    def test_jars(self):
        for artifact, module in MODULES.items():
            with zipfile.ZipFile(self.file(artifact, ".jar")) as jar:
                manifest = jar.read("META-INF/MANIFEST.MF").decode()
                self.assertIn(f"Automatic-Module-Name: {module}\r\n", manifest)
                self.assertIn(f"Implementation-Version: {self.version}\r\n", manifest)
                self.assertEqual(jar.read("META-INF/LICENSE"), (SOURCE / "LICENSE").read_bytes(), artifact)
                classes = {re.sub(r"(\$.*)?\.class$", "", name) for name in jar.namelist() if name.endswith(".class")}
                if artifact == "ndc":
                    self.assertIn("Enable-Native-Access: ALL-UNNAMED\r\n", manifest)
            with zipfile.ZipFile(self.file(artifact, "-sources.jar")) as jar:
                names = jar.namelist()
                self.assertEqual(
                    classes, {name.removesuffix(".java") for name in names if name.endswith(".java")}, artifact
                )
                self.assertIn("META-INF/LICENSE", names)
                self.assertFalse([name for name in names if "native/" in name or re.search(r"\.so(\.|$)", name)])
            with zipfile.ZipFile(self.file(artifact, "-javadoc.jar")) as jar:
                self.assertIn(module.replace(".", "/") + "/package-summary.html", jar.namelist())
        self.assertTrue(self.file("ndc-nutch", "-plugin.zip").is_file())

    def test_checksums(self):
        files = [path for path in self.repository.rglob("*") if path.suffix in (".pom", ".jar", ".zip", ".xml")]
        self.assertEqual(len(files), 3 * len(MODULES) + 1 + 2 * (len(MODULES) + 1))
        for path in files:
            for kind in ("md5", "sha1", "sha256", "sha512"):
                self.assertEqual(
                    Path(f"{path}.{kind}").read_text(encoding="ascii"),
                    hashlib.new(kind, path.read_bytes()).hexdigest(),
                    path,
                )

    def test_the_same_bytes_from_another_folder_at_another_place_in_the_world(self):
        source = self.folder / "elsewhere" / "a copy"
        source.mkdir(parents=True)
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        for name in ("pom.xml", ".mvn", "LICENSE", "bindings/java", "plugins"):
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, source / name, copy_function=shutil.copyfile)
            else:
                shutil.copyfile(SOURCE / name, source / name)
        os.chmod(source / "bindings/java/make-repository", 0o755)
        again = make(source, self.folder / "second", TZ="Asia/Tokyo", LC_ALL="C")
        files = [path.relative_to(self.repository) for path in sorted(self.repository.rglob("*")) if path.is_file()]
        self.assertEqual(files, [path.relative_to(again) for path in sorted(again.rglob("*")) if path.is_file()])
        different = [path for path in files if (self.repository / path).read_bytes() != (again / path).read_bytes()]
        self.assertFalse({path.name: differing_entries(self.repository / path, again / path) for path in different})

    def test_maven(self):
        project = self.folder / "consumer"
        (project / "src/main/java").mkdir(parents=True)
        (project / "src/main/java/Consumer.java").write_text(PROGRAM, encoding="utf-8")
        (project / "pom.xml").write_text(
            PROJECT.format(
                repository=self.repository.as_uri(), local=local_repository().as_uri(), version=self.version
            ),
            encoding="utf-8",
        )
        local = self.folder / "m2"
        subprocess.run(
            [
                "mvn",
                "--quiet",
                "--batch-mode",
                f"-Dmaven.repo.local={local}",
                "compile",
                "dependency:build-classpath",
                "-Dmdep.outputFile=classpath",
                "-Dmdep.includeScope=runtime",
            ],
            check=True,
            cwd=project,
        )
        jars = (project / "classpath").read_text(encoding="utf-8").split(":")
        # What is provided by the host is not brought along, and ndc needs nothing.
        self.assertEqual(
            [Path(jar).name for jar in jars], [f"ndc-heritrix-{self.version}.jar", f"ndc-{self.version}.jar"]
        )
        origins = (local / "io/ndc/ndc" / self.version / "_remote.repositories").read_text(encoding="utf-8")
        self.assertIn(f"ndc-{self.version}.jar>ndc=", origins)
        java = subprocess.run(
            ["java", "-cp", ":".join([*jars, str(project / "target/classes")]), "Consumer"],
            check=True,
            capture_output=True,
            text=True,
        )
        self.assertEqual(java.stdout, f"NEW {self.version}\n")

    def guide(self, language, place):
        guide = (SOURCE / "docs/guide-java.md").read_text(encoding="utf-8")
        return re.findall(rf"^```{language}\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)[place].replace(
            "file:///srv/maven", self.repository.as_uri()
        )

    def project_of_the_guide(self, name):
        project = self.folder / name / "with a space"
        (project / "src/main/java").mkdir(parents=True)
        (project / "src/main/java/First.java").write_text(self.guide("java", 0), encoding="utf-8")
        return project

    def test_the_project_of_the_guide(self):
        project = self.project_of_the_guide("guide")
        (project / "pom.xml").write_text(self.guide("xml", 0), encoding="utf-8")
        # What Maven needs itself comes from where the build had it.
        (project / "settings.xml").write_text(
            f"<settings><mirrors><mirror><id>local</id><mirrorOf>central</mirrorOf>"
            f"<url>{local_repository().as_uri()}</url></mirror></mirrors></settings>",
            encoding="utf-8",
        )
        repository = f"-Dmaven.repo.local={self.folder / 'guide/m2'}"
        subprocess.run(
            ["mvn", "--quiet", "--batch-mode", "-s", "settings.xml", repository, "compile"], check=True, cwd=project
        )
        java = subprocess.run(
            ["java", "-cp", f"{project / 'target/classes'}:{self.file('ndc', '.jar')}", "First"],
            check=True,
            capture_output=True,
            text=True,
        )
        self.assertEqual(java.stdout, self.guide("text", 0))

    @unittest.skipUnless(gradle_version() >= (6, 4), "Gradle 6.4 or newer is not installed")
    def test_gradle(self):
        project = self.project_of_the_guide("gradle")
        (project / "build.gradle").write_text(self.guide("groovy", 0), encoding="utf-8")
        (project / "settings.gradle").touch()
        run = subprocess.run(
            ["gradle", "--quiet", "--offline", "run"], check=True, capture_output=True, text=True, cwd=project
        )
        self.assertEqual(run.stdout, self.guide("text", 0))

    def test_spark_submit(self):
        result = self.folder / "result"
        ivy = self.folder / "ivy"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
        submitted = subprocess.run(
            [
                SOURCE / "plugins/spark/spark-submit",
                "--master",
                "local[2]",
                "--packages",
                f"io.ndc:ndc-spark:{self.version}",
                "--repositories",
                self.repository.as_uri(),
                "--conf",
                f"spark.jars.ivy={ivy}",
                "--conf",
                "spark.ui.enabled=false",
                "--conf",
                "spark.sql.shuffle.partitions=2",
                "--class",
                "io.ndc.spark.NdPartition",
                "spark-internal",
                "--input",
                SOURCE / "data/sample/documentation.warc.gz",
                "--output",
                result,
            ],
            capture_output=True,
            text=True,
            env={**environment, "NDC_SPARK_MODULE": str(OUTPUT / "ndc-spark")},
        )
        self.assertEqual(submitted.returncode, 0, submitted.stderr[-4000:])
        brought = {path.name for path in (ivy / "jars").iterdir()}
        self.assertEqual(
            {name for name in brought if name.startswith("io.ndc")},
            {f"io.ndc_ndc-spark-{self.version}.jar", f"io.ndc_ndc-{self.version}.jar"},
        )
        self.assertEqual(len(brought), 4, brought)  # and two that read archives
        self.assertGreater(json.loads((result / "summary.json").read_text(encoding="utf-8"))["counters"]["pages"], 100)


def differing_entries(first, second):
    if first.suffix not in (".jar", ".zip"):
        return first.name
    with zipfile.ZipFile(first) as a, zipfile.ZipFile(second) as b:
        if a.namelist() != b.namelist():
            return "the order of its files"
        return [name for name in a.namelist() if a.read(name) != b.read(name)] or "what is said of its files"


if __name__ == "__main__":
    SOURCE, OUTPUT = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
    unittest.main(verbosity=2)
