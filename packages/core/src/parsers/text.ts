import { defineParser } from '../plugin/define.ts'
import type { FileType, Parser, TextFileKind } from '../plugin/parts.ts'

/** Defines a parser that passes the bytes on. As with HTML, a thread decodes and converts large files. */
function textOf(
  name: string,
  accepts: readonly string[],
  kindOf: (type: string) => TextFileKind,
  files: readonly FileType[] = [],
): Parser {
  return defineParser({
    name,
    accepts,
    files,
    fromPageAlone: true,
    parse: (bytes, { contentType, type }) => ({ text: { bytes, contentType, kind: kindOf(type) } }),
  })
}

const scripts = ['text/javascript', 'application/javascript', 'application/x-javascript']
const tabs = 'text/tab-separated-values'

/** Parsers for text files. Plain text and Markdown are unchanged, tables become Markdown tables, others get a code fence. */
export const textParsers: readonly Parser[] = [
  textOf('json', ['application/json', 'text/json', '*+json', 'application/x-ndjson'], () => 'json', [
    { format: 'json', extensions: ['json'], mimeTypes: ['application/json'] },
    { format: 'jsonl', extensions: ['jsonl', 'ndjson'], mimeTypes: ['application/x-ndjson'] },
  ]),
  textOf('xml', ['application/xml', 'text/xml', '*+xml'], () => 'xml', [
    { format: 'xml', extensions: ['xml'], mimeTypes: ['application/xml', 'text/xml'] },
  ]),
  textOf('csv', ['text/csv', 'application/csv', tabs], (type) => (type === tabs ? 'table of tabs' : 'table'), [
    { format: 'csv', extensions: ['csv'], mimeTypes: ['text/csv'] },
    { format: 'tsv', extensions: ['tsv'], mimeTypes: [tabs] },
  ]),
  textOf('text', ['text/plain', 'text/markdown', 'text/x-markdown'], () => 'plain', [
    { format: 'txt', extensions: ['txt'], mimeTypes: ['text/plain'] },
    { format: 'md', extensions: ['md', 'markdown'], mimeTypes: ['text/markdown'] },
  ]),
  textOf('code', ['text/css', ...scripts, 'text/yaml', 'application/yaml'], () => 'code', [
    { format: 'yaml', extensions: ['yaml', 'yml'], mimeTypes: ['application/yaml'] },
  ]),
]
