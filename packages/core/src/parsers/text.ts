import { decodeText } from '../net/decode.ts'
import { defineParser } from '../plugin/define.ts'
import { fenced } from './fenced.ts'

const plain = (name: string, accepts: readonly string[], toMarkdown: (text: string) => string) =>
  defineParser({
    name,
    accepts,
    parse: (bytes, { contentType }) => {
      const { text } = decodeText(bytes, contentType, { html: false })
      return { rawHtml: text, markdown: toMarkdown(text) }
    },
  })

/** Text and Markdown are what they are. */
export const textParser = plain('text', ['text/plain', 'text/markdown', 'text/x-markdown'], (text) => text)

export const jsonParser = plain('json', ['application/json', 'text/json', '*+json', 'application/x-ndjson'], (text) =>
  fenced('json', text),
)

export const xmlParser = plain('xml', ['application/xml', 'text/xml', '*+xml'], (text) => fenced('xml', text))

export const codeParser = plain(
  'code',
  [
    'text/css',
    'text/javascript',
    'application/javascript',
    'application/x-javascript',
    'text/yaml',
    'application/yaml',
  ],
  (text) => fenced('', text),
)
