import { defineJob, jsonValue, llmPort, priceOfPages, searchPort, tariff } from '@harvestman/core/plugin'
import { z } from 'zod'

import { claims } from '../claims.ts'
import { endpoint } from './endpoint.ts'
import type { ResearchNote } from './notes.ts'
import { request } from './request.ts'
import { activity, source } from './shapes.ts'
import { maxPagesIn, runResearch } from './run.ts'

/** Answers a question in rounds. Each round searches the web, reads the results, and lets a language model find gaps. */
export const deepResearch = defineJob({
  kind: 'deep_research',
  title: 'deep research',
  description: 'Answers a question in rounds of searching and reading, with its sources.',
  request,
  answer: z.object({
    finalAnalysis: z.string().meta({ contentMediaType: 'text/markdown' }),
    sources: z.array(source),
    json: jsonValue.optional(),
  }),
  example: { query: 'What do harvestmen eat?', maxDepth: 2, maxUrls: 10 },
  about: 'query',
  requires: { llm: llmPort, search: searchPort },
  answerFits: { schema: 'jsonOptions.schema', under: 'json' },
  progress: {
    schema: z.object({ activities: z.array(activity), sources: z.array(source), depth: z.int(), claims }),
    of: (steps) => {
      // Cast: these steps were saved by runResearch.
      const notes = steps.map(({ step }) => step as ResearchNote)
      const activities = notes.flatMap((note) => note.activity ?? [])
      const sources = notes.flatMap(({ finding }) => finding?.source ?? [])
      const found = notes.findLast(({ claims }) => claims)?.claims
      const depth = Math.max(0, ...activities.map(({ depth }) => depth))
      return { activities, sources, depth, ...(found && { claims: [...found] }) }
    },
    lines: ({ activities }) =>
      activities.filter(({ status }) => status !== 'processing').map(({ type, message }) => `${type}  ${message}`),
  },
  endpoints: [endpoint],
  command: {
    name: 'deep-research',
    flags: { maxDepth: '--depth', maxUrls: '--pages', timeLimit: '--time', 'jsonOptions.schema': '--schema' },
    read: ({ formats, ...given }) => ({
      ...given,
      ...(formats === undefined ? given['jsonOptions'] !== undefined && { formats: ['json'] } : { formats }),
    }),
    examples: ['"What do harvestmen eat?" --depth 2 --pages 10 -o harvestmen.md'],
    print: ({ finalAnalysis, sources, json }) =>
      json === undefined
        ? [finalAnalysis, '', ...sources.map(({ url, title }) => `- [${title}](${url})`)].join('\n')
        : JSON.stringify(json, null, 2),
  },
  // Only pages are charged; searches and model calls are free.
  price: ({ maxUrls, maxDepth, maxCredits }) => {
    const most = Math.min(maxUrls, maxPagesIn(maxDepth))
    return priceOfPages({ min: tariff.page, max: tariff.page, reasons: [] }, { least: 1, most, maxCredits }, 'pages')
  },
  run: runResearch,
})
