// File types that this server parses, by extension and media type.
import { EngineError } from '@harvestman/core'
import type { FileType } from '@harvestman/core/plugin'
import { z } from 'zod'

import type { ServedEngine } from '../route/engine.ts'
import { route, success, type Route } from '../route/route.ts'

/** Pictures that the public API lists, also if a server cannot read them. */
const images: readonly FileType[] = [
  { format: 'png', kind: 'image', extensions: ['png'], mimeTypes: ['image/png'] },
  { format: 'jpg', kind: 'image', extensions: ['jpg', 'jpeg'], mimeTypes: ['image/jpeg'] },
  { format: 'jp2', kind: 'image', extensions: ['jp2'], mimeTypes: ['image/jp2'] },
  { format: 'tiff', kind: 'image', extensions: ['tiff', 'tif'], mimeTypes: ['image/tiff'] },
  { format: 'gif', kind: 'image', extensions: ['gif'], mimeTypes: ['image/gif'] },
  { format: 'bmp', kind: 'image', extensions: ['bmp'], mimeTypes: ['image/bmp'] },
  { format: 'webp', kind: 'image', extensions: ['webp'], mimeTypes: ['image/webp'] },
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

/** Returns the file types of the engine's parsers, and the pictures of the public API. */
function formatsOf(engine: ServedEngine): z.output<typeof format>[] {
  const { files, parsers } = engine.capabilities()
  const accepted = new Set(Object.values(parsers).flat())
  const listed = new Set(files.map((file) => file.format))
  return [...files, ...images.filter((image) => !listed.has(image.format))].map(
    ({ format: name, kind = 'document', extensions, mimeTypes }) => ({
      ...{ format: name, kind },
      extensions: extensions.map((extension) => `.${extension}`),
      mimeTypes: [...mimeTypes],
      available: mimeTypes.every((type) => accepted.has(type)),
    }),
  )
}

/**
 * Returns the public API's error for an unsupported file type, whose message lists the extensions that this server accepts.
 * `error` has the type in its details and becomes the cause.
 */
export function unsupportedUpload(error: EngineError, engine: ServedEngine): EngineError {
  const extensions = formatsOf(engine).flatMap(({ available, extensions: list }) => (available ? list : []))
  const message = `Unsupported upload type ${String(error.details['type'])}. Supported: ${extensions.join(', ')}.`
  // Without `problem`, which would replace this message.
  const { problem: _, ...details } = error.details
  return new EngineError('unsupported_file', message, { details, cause: error })
}
