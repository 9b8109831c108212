// A file that comes with the request, read as a page is.
import { EngineError } from '@harvestman/core'
import { z } from 'zod'

import { explainReads, wantsExplanation } from './explain.ts'
import { route, success, type Route } from './route.ts'
import { v2Voice } from './v2/voice.ts'

export const parseRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v2/parse',
    group: 'parse',
    summary: 'Reads a file that you send, HTML, PDF or of an office, and gives its content as a scrape would.',
    input: ({ parse }) => parse,
    takesFile: true,
    engineChecks: true,
    example: { formats: ['markdown'] },
    reads: explainReads,
    fails: [
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
    output: (schemas) => z.object({ success: z.literal(true), data: v2Voice.documentAnswerSchema(schemas) }),
    run: async ({ engine, input, file, headers, team, key, apiVersion, limits, signal, filesAt }) => {
      if (!file) throw new EngineError('invalid_request', 'There is no file. Send one in the field "file" of a form.')
      const { bytes, name, contentType } = file
      const told = { ...(name !== undefined && { name }), ...(contentType !== undefined && { contentType }) }
      const call = { team, key, apiVersion, limits, signal, filesAt, explain: wantsExplanation(headers), keep: true }
      return success(await engine.parseAny(bytes, { ...told, ...(input as object) }, call))
    },
  }),
]
