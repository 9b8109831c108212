// Reads TeX source: text, headings, lists, tables and notes. Formulas are kept as they are. Macros are not expanded.
import { countElements, type Converting } from '../converting.ts'
import { factsOf, type Converted } from '../facts.ts'
import { makeNotes } from '../html/notes.ts'
import { damaged } from '../refuse.ts'
import { decodeText } from '../text-files.ts'
import { blocksHtml, inlineHtml, plainOf, type TexWork } from './blocks.ts'
import { argumentAt, environmentAt, optionAt } from './scan.ts'

const beginDocument = '\\begin{document}'

/** Reads a TeX file. Throws `page_too_complex` if it nests too deeply, and `unsupported_file` if it contains no text. */
export function readTex(bytes: Uint8Array, work: Converting): Converted {
  const source = decodeText(bytes).replaceAll(/\r\n?/g, '\n')
  // Characters that no source has, at its beginning.
  if (/[\0-\x08\x0e-\x1a]/.test(source.slice(0, 1_000))) throw damaged('it contains no text')
  const begin = source.indexOf(beginDocument)
  const body = begin < 0 ? source : environmentAt(source, 'document', begin + beginDocument.length).text
  const notes = makeNotes()
  const take = countElements(work)
  const texWork: TexWork = {
    take: () => take('p'),
    note: (html) => notes.add('', html),
    shift: /\\chapter\*?[[{]/.test(body) ? 1 : 0,
    depth: 0,
  }
  const titled = (name: string): string => commandArgument(source, name)
  const title = titled('title')
  const author = titled('author')
  const head = title === '' ? '' : `<h1>${inlineHtml(title, texWork)}</h1>`
  const by = author === '' ? '' : `<p>${inlineHtml(authors(author), texWork)}</p>`
  const html = head + by + blocksHtml(body, texWork) + notes.html()
  return { html, facts: factsOf({ title: plainOf(title, texWork), author: plainOf(authors(author), texWork) }) }
}

function authors(source: string): string {
  return source
    .split(/\\and(?![a-zA-Z])/)
    .map((author) => author.trim())
    .join(', ')
}

/** Returns the argument of the first use of a command, or an empty string. */
function commandArgument(source: string, name: string): string {
  const found = new RegExp(`^[ \\t]*\\\\${name}(?=[\\[{])`, 'm').exec(source)
  if (!found) return ''
  const start = found.index + found[0].length
  return argumentAt(source, optionAt(source, start)?.end ?? start).text
}
