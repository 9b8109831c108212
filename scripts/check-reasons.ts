import type { NamedFile } from './check-names.ts'

/** Places that switch a rule of the linter off, or the compiler, and do not say why. A sentence for each. */
export function findUnexplained(files: readonly NamedFile[]): string[] {
  return files.flatMap(({ file, text }) => {
    const lines = text.split('\n')
    return lines.flatMap((line, index) => {
      const at = `${file}:${index + 1}`
      if (/oxlint-disable/.test(line) && !/oxlint-disable\S* \S.* -- \S/.test(line))
        return [`${at} switches a rule off: say why, after two dashes.`]
      if (isShipped(file) && isCast(line) && !isCastReason(lines[index - 1]))
        return [`${at} switches the compiler off: do without, or say why in the line above, after "// Cast: ".`]
      return []
    })
  })
}

const isShipped = (file: string): boolean => /packages\/[\w-]+\/src\//.test(file) && !/\.test\.|\/fixtures\//.test(file)

const isCast = (line: string): boolean =>
  !/^\s*(?:\/\/|\*|\/\*)/.test(line) && /\bas (?:never|any|unknown as)\b/.test(line)

const isCastReason = (line = ''): boolean => /^\s*\/\/ Cast: \S/.test(line)
