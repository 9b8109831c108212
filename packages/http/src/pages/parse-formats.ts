// File types that this server parses, by extension and media type.
import { EngineError } from '@harvestman/core'
import { z } from 'zod'

import type { ServedEngine } from '../route/engine.ts'
import { route, success, type Route } from '../route/route.ts'

const office = 'application/vnd.openxmlformats-officedocument'
const open = 'application/vnd.oasis.opendocument'
const macros = (of: string): string => `application/vnd.ms-${of}.macroenabled.12`

type Family = readonly [format: string, extensions: string, types: readonly string[]]

const documents: readonly Family[] = [
  ['html', '.html .htm', ['text/html']],
  ['xhtml', '.xhtml', ['application/xhtml+xml']],
  ['pdf', '.pdf', ['application/pdf']],
  ['docx', '.docx', [`${office}.wordprocessingml.document`]],
  ['docm', '.docm', [macros('word.document')]],
  ['odt', '.odt', [`${open}.text`]],
  ['rtf', '.rtf', ['application/rtf', 'text/rtf']],
  ['xlsx', '.xlsx', [`${office}.spreadsheetml.sheet`]],
  ['xlsm', '.xlsm', [macros('excel.sheet')]],
  ['xlsb', '.xlsb', [macros('excel.sheet.binary')]],
  ['xls', '.xls', ['application/vnd.ms-excel']],
  ['ods', '.ods', [`${open}.spreadsheet`]],
  ['pptx', '.pptx', [`${office}.presentationml.presentation`]],
  ['pptm', '.pptm', [macros('powerpoint.presentation')]],
  ['odp', '.odp', [`${open}.presentation`]],
  ['epub', '.epub', ['application/epub+zip']],
  ['csv', '.csv', ['text/csv']],
  ['tsv', '.tsv', ['text/tab-separated-values']],
  ['txt', '.txt', ['text/plain']],
  ['md', '.md .markdown', ['text/markdown']],
  ['json', '.json', ['application/json']],
  ['xml', '.xml', ['application/xml', 'text/xml']],
  ['yaml', '.yaml .yml', ['application/yaml']],
]

const images: readonly Family[] = [
  ['png', '.png', ['image/png']],
  ['jpg', '.jpg .jpeg', ['image/jpeg']],
  ['jp2', '.jp2', ['image/jp2']],
  ['tiff', '.tiff .tif', ['image/tiff']],
  ['gif', '.gif', ['image/gif']],
  ['bmp', '.bmp', ['image/bmp']],
  ['webp', '.webp', ['image/webp']],
]

const format = z.object({
  format: z.string(),
  kind: z.enum(['document', 'image']),
  extensions: z.array(z.string()).min(1),
  mimeTypes: z.array(z.string()).min(1),
  available: z.boolean().describe('False for a file that this server refuses.'),
})

export const parseFormatsRoute: Route = route({
  method: 'GET',
  path: '/v2/parse/formats',
  group: 'service',
  summary: 'Lists the files that this server parses, by extension and media type.',
  headers: { 'cache-control': 'private, max-age=3600' },
  output: () => z.object({ success: z.literal(true), data: z.object({ formats: z.array(format) }) }),
  run: ({ engine }) => success({ formats: formatsOf(engine) }),
})

function formatsOf(engine: ServedEngine): z.output<typeof format>[] {
  const accepted = new Set(Object.values(engine.capabilities().parsers).flat())
  const list = (families: readonly Family[], kind: 'document' | 'image') =>
    families.map(([name, extensions, mimeTypes]) => ({
      ...{ format: name, kind, extensions: extensions.split(' '), mimeTypes: [...mimeTypes] },
      available: mimeTypes.every((type) => accepted.has(type)),
    }))
  return [...list(documents, 'document').filter(({ available }) => available), ...list(images, 'image')]
}

/**
 * Returns the public API's error for an unsupported file type, whose message lists the extensions that this server accepts.
 * `error` has the type in its details and becomes the cause.
 */
export function unsupportedUpload(error: EngineError, engine: ServedEngine): EngineError {
  const extensions = formatsOf(engine).flatMap(({ available, extensions: list }) => (available ? list : []))
  const message = `Unsupported upload type ${String(error.details['type'])}. Supported: ${extensions.join(', ')}.`
  return new EngineError('unsupported_file', message, { details: error.details, cause: error })
}
