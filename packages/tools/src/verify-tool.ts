// The tool with which a model checks that pages still have the passages that it cites.
import { z } from 'zod'

import { fitEntries, fromPage, ours, type Answer } from './answer.ts'
import { jobId } from './job-tools.ts'
import { untilDone } from './kind-tools.ts'
import { maxTokens, pageUrl } from './page-tools.ts'
import { defineTool, type ToolContext } from './tool.ts'
import { ApiRefusal } from './web-api.ts'

interface Verdict {
  readonly url: string
  readonly status: 'unchanged' | 'moved' | 'changed' | 'gone' | 'unreachable'
  readonly now?: { readonly quote: string }
  readonly reason?: string
}

const maxCitations = 20
const kind = { path: '/v2/verify', title: 'Verify' }

export const verifyTool = defineTool({
  name: 'verify',
  needs: { endpoints: ['verify'] },
  title: 'Check citations',
  description: 'Checks whether pages still have the passages you cite. Price: 1 credit a page.',
  input: z.object({
    citations: z
      .array(z.object({ url: pageUrl, quote: z.string().min(1).max(4_000).describe('Whole sentences of the page.') }))
      .max(maxCitations)
      .default([]),
    id: jobId.optional().describe('The id of a check that still ran.'),
    maxTokens,
  }),
  run: async ({ citations, id: started, maxTokens }, context) => {
    if ((started === undefined) === (citations.length === 0))
      throw new ApiRefusal('BAD_REQUEST', 'Pass citations, or the id of a check that still ran.', 400)
    const id = started ?? (await startCheck(citations, context))
    const { status, data, error } = await untilDone(kind, id, context)
    if (status === 'processing') return [ours(`The check still runs. Read its result with verify {"id": "${id}"}.`)]
    if (status !== 'completed') throw new ApiRefusal('JOB_FAILED', error ?? `The check was ${status}.`, 200)
    // Cast: the shape is that of the API.
    const verdicts = (data as { readonly citations: readonly Verdict[] }).citations
    const entries = verdicts.map((verdict, index) => entryOf(verdict, index + 1))
    return fitEntries(entries, maxTokens)
  },
})

async function startCheck(
  citations: readonly { readonly url: string; readonly quote: string }[],
  { api, signal }: ToolContext,
): Promise<string> {
  // The position of a quote is not known, so the place where it is found does not matter.
  const request = { citations: citations.map((one) => ({ ...one, start: 0, end: one.quote.length })) }
  return (await api.post<{ id: string }>(kind.path, request, signal)).id
}

function entryOf(
  { status, url, now, reason }: Verdict,
  number: number,
): { readonly full: Answer; readonly short: Answer } {
  const verdict = `${number}: ${status === 'moved' ? 'unchanged' : status}`
  const because = reason === undefined ? verdict : `${verdict}. ${reason}`
  const present = status === 'changed' && now ? [fromPage(now.quote, url)] : []
  return { full: [ours(because), ...present], short: [ours(verdict)] }
}
