import type { NamedFile } from './check-names.ts'

const call = /\.(?:includes|indexOf|lastIndexOf)\(/g
const wide = /['"`](?:utf-?16-?le|ucs-?2)['"`]/i
const known = /^['"](?:latin1|binary|ascii|utf-?8|hex)['"]$/i

/**
 * Finds native searches for UTF-16 text in buffers, one sentence each. In Node 24 such a search never returns for some
 * contents at an odd offset of the ArrayBuffer, and nothing can stop it: neither a signal nor ending its thread.
 */
export function findWideSearches(files: readonly NamedFile[]): string[] {
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(call)]
      .filter(({ 0: { length }, index }) => isWide(argumentsAt(text, index + length)))
      .map(
        ({ index }) =>
          `${file}:${text.slice(0, index).split('\n').length} searches bytes for UTF-16 text, which may never return: read the format, or search for bytes.`,
      ),
  )
}

/** Only searches of buffers take an encoding: as the second argument, or as the third, which may be no variable. */
function isWide(given: readonly string[]): boolean {
  return given.slice(1).some((argument) => wide.test(argument)) || (given.length > 2 && !known.test(given[2] ?? ''))
}

/** Splits the arguments of a call, whose first character is at `from`. */
function argumentsAt(text: string, from: number): string[] {
  const found: string[] = []
  let [depth, start, quote] = [0, from, '']
  for (let at = from; at < text.length && depth >= 0; at += 1) {
    const sign = text[at] ?? ''
    if (quote !== '') {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (/['"`]/.test(sign)) quote = sign
    else if (/[([{]/.test(sign)) depth += 1
    else if (/[)\]}]/.test(sign)) depth -= 1
    if (quote === '' && (depth < 0 || (sign === ',' && depth === 0))) {
      found.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return found.filter((argument) => argument !== '')
}
