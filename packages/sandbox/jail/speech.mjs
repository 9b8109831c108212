// How each interpreter is told a run: into which of its files, and in which words. The mark of a run says that it has
// begun. Its word comes last, and is not read before the code has ended by the interpreters that share their memory with it.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const withoutZeros = (text) => text.replaceAll('\0', '')
const quoted = (text) => `'${withoutZeros(text).replaceAll("'", `'\\''`)}'`

// In the mode of POSIX these names are found before functions of the code that are called so.
const ownNames = String.raw`\unset -f unset builtin
\unset POSIXLY_CORRECT
\builtin trap - DEBUG`

/** A shell reads this as its script, so that there is no loop that the code could leave. */
function script({ text, mark, word, paths: [out, err] = [] }) {
  const status = `__status_${word.replaceAll('-', '')}`
  const [open, write, close] = out
    ? [
        String.raw`\exec 251>${quoted(out)} 252>${quoted(err)}`,
        '>&251 2>&252 251>&- 252>&-',
        String.raw`\exec 251>&- 252>&-`,
      ]
    : ['', '', '']
  return String.raw`
POSIXLY_CORRECT=y
${open}
${ownNames}
\builtin printf '\n{"began":"%s"}\n' ${mark} >&3
\builtin eval ${quoted(text)} </dev/null ${write} 3>&-
${status}=$?
POSIXLY_CORRECT=y
${close}
${ownNames}
\builtin printf '\n{"exitCode":%d,"word":"%s"}\n' "$${status}" ${word} >&3
\builtin unset ${status}
`
}

const bashStart = join(dirname(fileURLToPath(import.meta.url)), 'bash-kernel.sh')

/** How many lines stand before the code in what a shell is told of a run. */
function linesBefore(told) {
  return told.slice(0, told.indexOf('\\builtin eval')).split('\n').length - 1
}

export const speeches = {
  // It finds out once what kind of file its output is.
  node: { file: 3, outputs: ['outputs'], tell: (run) => `${JSON.stringify(run)}\n` },
  python: {
    file: 3,
    tell: ({ text, mark, word, paths = ['', ''] }) =>
      [text, ...paths, mark, word].map((part) => `${withoutZeros(part)}\0`).join(''),
  },
  pages: { file: 3 },
  bash: { file: 0, begin: `. ${quoted(bashStart)}\n`, tell: script, linesBefore },
}
