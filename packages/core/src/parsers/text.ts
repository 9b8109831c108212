import { defineParser } from '../plugin/define.ts'
import type { Parser, TextFileKind } from '../plugin/parts.ts'

/** Defines a parser that passes the bytes on. As with HTML, a thread decodes and converts large files. */
function textOf(name: string, accepts: readonly string[], kindOf: (type: string) => TextFileKind): Parser {
  return defineParser({
    name,
    accepts,
    fromPageAlone: true,
    parse: (bytes, { contentType, type }) => ({ text: { bytes, contentType, kind: kindOf(type) } }),
  })
}

const scripts = ['text/javascript', 'application/javascript', 'application/x-javascript']
const tabs = 'text/tab-separated-values'

/** Parsers for text files. Plain text and Markdown are unchanged, tables become Markdown tables, others get a code fence. */
export const textParsers: readonly Parser[] = [
  textOf('json', ['application/json', 'text/json', '*+json', 'application/x-ndjson'], () => 'json'),
  textOf('xml', ['application/xml', 'text/xml', '*+xml'], () => 'xml'),
  textOf('csv', ['text/csv', 'application/csv', tabs], (type) => (type === tabs ? 'table of tabs' : 'table')),
  textOf('text', ['text/plain', 'text/markdown', 'text/x-markdown'], () => 'plain'),
  textOf('code', ['text/css', ...scripts, 'text/yaml', 'application/yaml'], () => 'code'),
]
