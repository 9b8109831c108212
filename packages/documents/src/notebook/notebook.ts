// Reads notebooks of Jupyter (nbformat 3 and 4).
import { countElements, type Converting } from '../converting.ts'
import { factsOf, type Converted } from '../facts.ts'
import { markdownHtml } from '../html/markdown.ts'
import { pageHtml } from '../html/page.ts'
import { damaged } from '../refuse.ts'
import { decodeText } from '../text-files.ts'
import { escapeText, escapeValue } from '../xml/entities.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
type Fields = { readonly [key: string]: Json }

const maxOutputLength = 100_000

/**
 * Reads a notebook: its Markdown, its code, and the output of its code as text. Pictures are omitted. Throws `unsupported_file` if
 * the file is no notebook.
 */
export function readNotebook(bytes: Uint8Array, work: Converting): Converted {
  const notebook = fieldsOf(parse(bytes))
  const cells = cellsOf(notebook)
  if (!cells) throw damaged('it contains no cells')
  const take = countElements(work)
  const metadata = fieldsOf(notebook['metadata'])
  const language =
    textOf(fieldsOf(metadata['language_info'])['name']) || textOf(fieldsOf(metadata['kernelspec'])['language'])
  const parts: string[] = []
  for (const cell of cells) {
    if (!take('p')) break
    parts.push(cellHtml(fieldsOf(cell), /^[\w+#-]{1,30}$/.test(language) ? language : '', work))
  }
  const { title } = metadata
  return { html: parts.join(''), facts: factsOf(typeof title === 'string' ? { title } : {}) }
}

function parse(bytes: Uint8Array): Json {
  try {
    return JSON.parse(decodeText(bytes).replace(/^\ufeff/, '')) as Json
  } catch {
    throw damaged('it is not valid JSON')
  }
}

function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function listOf(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? (value as readonly Json[]) : undefined
}

/** Returns the cells. Before version 4 they are in worksheets. */
function cellsOf(notebook: Fields): readonly Json[] | undefined {
  const sheets = listOf(notebook['worksheets'])
  return listOf(notebook['cells']) ?? sheets?.flatMap((sheet) => listOf(fieldsOf(sheet)['cells']) ?? [])
}

function cellHtml(cell: Fields, language: string, work: Converting): string {
  const source = textOf(cell['source'] ?? cell['input'])
  const kind = cell['cell_type']
  if (kind === 'markdown') return markdownHtml(source, work.warn)
  if (kind === 'heading') return markdownHtml(`${'#'.repeat(levelOf(cell['level']))} ${source}`, work.warn)
  if (kind !== 'code') return preHtml(source, '')
  const outputs = listOf(cell['outputs']) ?? []
  return preHtml(source, language) + outputs.map((output) => outputHtml(fieldsOf(output), work)).join('')
}

function levelOf(value: Json | undefined): number {
  return Math.min(6, Math.max(1, Math.trunc(Number(value)) || 1))
}

function preHtml(text: string, language: string): string {
  if (text.trim() === '') return ''
  const of = language === '' ? '' : ` class="language-${escapeValue(language)}"`
  return `<pre><code${of}>${escapeText(text)}</code></pre>`
}

// Colors and cursor movements of terminals.
const escapes = /\u001b\[[\d;?]*[A-Za-z]/g

function outputHtml(output: Fields, work: Converting): string {
  const plain = (text: string): string => preHtml(cut(text.replaceAll(escapes, ''), work), '')
  const trace = listOf(output['traceback'])
  if (trace) return plain(trace.map(String).join('\n'))
  // Version 3 has the data next to the type.
  const data = output['data'] === undefined ? output : fieldsOf(output['data'])
  const markdown = textOf(data['text/markdown'])
  const html = textOf(data['text/html'] ?? data['html'])
  if (markdown !== '') return markdownHtml(cut(markdown, work), work.warn)
  if (/<table[\s>]/i.test(html)) return pageHtml(cut(html, work))
  // The text of a picture only describes its size.
  if (Object.keys(data).some((type) => type.startsWith('image/') || type === 'png')) return ''
  return plain(textOf(output['text']) || textOf(data['text/plain'] ?? data['text']))
}

function cut(text: string, { warn }: Converting): string {
  if (text.length <= maxOutputLength) return text
  warn(`An output of the notebook has more than ${maxOutputLength} characters; the rest of it is left out.`)
  return text.slice(0, maxOutputLength)
}

/** Text is a string, or a list of lines. */
function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return (listOf(value) ?? []).filter((line) => typeof line === 'string').join('')
}
