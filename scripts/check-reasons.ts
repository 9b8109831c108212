import type { NamedFile } from './check-names.ts'

/** Places that switch a rule of the linter off and do not say why. A sentence for each. */
export function findUnexplained(files: readonly NamedFile[]): string[] {
  return files.flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        /oxlint-disable/.test(line) && !/oxlint-disable\S* \S.* -- \S/.test(line)
          ? [`${file}:${index + 1} switches a rule off: say why, after two dashes.`]
          : [],
      ),
  )
}
