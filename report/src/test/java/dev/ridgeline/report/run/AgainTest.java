package dev.ridgeline.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgainTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ridgeline,profile                                  | embed
          ridgeline,profile,--texts,64                       | embed --texts 64
          ridgeline,profile,generate,-m,a b,--quiet          | generate -m 'a b'
          ridgeline,profile,embed,--runs,x,--level=time      | embed
          ridgeline,generate,-p,it's,--profile=time          | generate -p 'it'\\''s'
          ridgeline                                          | embed
          """)
  void theWorkIsTypedAgainWithoutWhatIsOfTheProfile(String command, String again) {
    Run run = SampleRuns.random(1);
    Run typed =
        new Run(
            "embed",
            "",
            run.started(),
            Arrays.asList(command.split(",")),
            List.of(),
            run.machine(),
            "",
            Map.of(),
            Map.of(),
            "",
            run.metrics());
    assertThat(Again.of(typed)).isEqualTo(again);
  }
}
