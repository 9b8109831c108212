// Parses an uploaded file like a page.
import { EngineError } from '@harvestman/core'
import { z } from 'zod'

import type { ApiEngine } from '../route/engine.ts'
import { explainReads, wantsExplanation } from '../request/explain.ts'
import { unsupportedUpload } from './parse-formats.ts'
import { route, success, type Route, type RouteCall } from '../route/route.ts'
import type { SentFile } from '../route/sent-file.ts'
import { v2Api } from '../v2/v2-api.ts'
import { agentHints, documentHints } from '../versions/agent-hints.ts'

export const parseRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v2/parse',
    group: 'parse',
    summary: 'Parses an uploaded file (HTML, PDF, office files) and returns its content like a scrape.',
    input: ({ parse }) => parse,
    takesFile: true,
    engineChecks: true,
    example: { formats: ['markdown'] },
    reads: explainReads,
    loadsPage: true,
    // The caller provides the file, so a bad file is a client error.
    words: {
      statuses: { unsupported_file: 400, response_too_large: 413, page_too_complex: 413 },
      codes: { unsupported_file: 'UNSUPPORTED_FILE_TYPE' },
    },
    fails: [
      'not_found',
      'not_for_files',
      'forbidden',
      'not_configured',
      'timeout',
      'response_too_large',
      'page_too_complex',
      'unsupported_file',
      'format_failed',
      'model_unavailable',
      'model_failed',
    ],
    output: (schemas) =>
      z.object({
        success: z.literal(true),
        data: v2Api.documentAnswerSchema(schemas),
        agent_hints: agentHints,
      }),
    run: async (call) => {
      const { engine, headers, caller, signal, filesAt } = call
      const { file, options, done } = await fileOf(call)
      const { bytes, name, contentType } = file
      const fileInfo = { ...(name !== undefined && { name }), ...(contentType !== undefined && { contentType }) }
      const how = {
        ...caller,
        signal,
        filesAt,
        explain: wantsExplanation(headers),
        keep: true,
        encoded: true,
      }
      const document = await engine.unchecked.parse(bytes, { ...fileInfo, ...options }, how).catch((error: unknown) => {
        throw isOfUnknownType(error) ? unsupportedUpload(error, engine) : error
      })
      await done()
      return { ...success(document), ...documentHints(document) }
    },
  }),
  route({
    method: 'POST',
    path: '/v2/parse/upload-url',
    group: 'parse',
    feature: 'uploads',
    summary: 'Creates an upload URL for a file. Upload the file, then pass its `uploadRef` to parse it.',
    input: () => uploadSchema,
    example: { filename: 'report.pdf', contentType: 'application/pdf', declaredSizeBytes: 120_000 },
    // Clients of the public API read either form.
    output: () => z.object({ success: z.literal(true), ...placeShape, data: z.object(placeShape) }),
    run: async ({ engine, input, team, at }) => {
      const { filename, contentType, declaredSizeBytes } = input
      const fileInfo = { name: filename, contentType, size: declaredSizeBytes }
      const { id, expiresAt, maxBytes } = await engine.uploads.open(fileInfo, team)
      const place = {
        uploadUrl: `${at}/v2/parse/upload/${id}`,
        uploadRef: id,
        method: 'PUT' as const,
        headers: contentType === undefined ? {} : { 'Content-Type': contentType },
        expiresAt,
        maxSizeBytes: maxBytes,
      }
      return { success: true as const, ...place, data: place }
    },
  }),
  route({
    method: 'PUT',
    path: '/v2/parse/upload/{id}',
    group: 'parse',
    feature: 'uploads',
    summary: 'Uploads a file for parsing. Its URL contains its key.',
    isOpen: true,
    takesBytes: true,
    fails: ['not_found', 'rate_limited'],
    beforeBody: ({ engine, params }) => engine.uploads.check(params['id'] ?? ''),
    output: () => z.object({ success: z.literal(true) }),
    run: async ({ engine, params, file }) => {
      if (!file || file.bytes.byteLength === 0) throw noFile('The body is empty: send the bytes of the file.')
      await engine.uploads.put(params['id'] ?? '', file.bytes)
      return { success: true as const }
    },
  }),
]

/** Returns whether no parser supports the file type. Errors about damaged files have a `reason`. */
function isOfUnknownType(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'unsupported_file' && error.details['reason'] === undefined
}

const placeShape = {
  uploadUrl: z.url().describe('The URL to send the file to. It needs no API key.'),
  uploadRef: z.uuid().describe('The name of the file in the body of POST /v2/parse.'),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
  expiresAt: z.iso.datetime(),
  maxSizeBytes: z.int(),
}

const uploadSchema = z.strictObject({
  filename: z.string().min(1).max(1_000),
  contentType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(?:;[ -~]*)?$/, 'is not a media type; remove it')
    .max(200)
    .optional(),
  declaredSizeBytes: z.int().min(1).optional(),
})

interface FileToParse {
  readonly file: SentFile
  readonly options: object
  /** Deletes the upload. Call it once the file was parsed. */
  readonly done: () => Promise<void>
}

/** Returns the file in the request, or the upload that it references. */
async function fileOf({ engine, file, input, team }: RouteCall): Promise<FileToParse> {
  const { uploadRef, ...options } = (input ?? {}) as Readonly<Record<string, unknown>>
  if (file && uploadRef === undefined) return { file, options, done: async () => undefined }
  if (file) throw noFile('The request has both a file and an uploadRef. Send one of them.')
  if (typeof uploadRef !== 'string') {
    throw noFile(
      'Missing file upload. Send a file in the field "file" of a form, or the uploadRef of an uploaded file.',
    )
  }
  const { uploads }: ApiEngine = engine
  if (!uploads) throw noFile('This server has no uploads. Send the file in the field "file" of a form.')
  const { bytes, name, contentType } = await uploads.read(uploadRef.slice(0, 100), team)
  return { file: { bytes, name, contentType }, options, done: () => uploads.forget(uploadRef, team) }
}

function noFile(message: string): EngineError {
  return new EngineError('invalid_request', message)
}
