// The public names, one by one. What is not here is not public.
import { definePlugin } from '@harvestman/core/plugin'

import { agent } from './agent/agent.ts'
import { extract } from './extract/extract.ts'
import { llmsTxt } from './llms-txt/llms-txt.ts'
import { research } from './research/research.ts'

export { agent, extract, llmsTxt, research }
export type { AgentAct } from './agent/notes.ts'
export type { ResearchActivity, ResearchSource } from './research/notes.ts'

/** The kinds of jobs that answer from the web. */
export const answers = definePlugin({ name: 'answers', jobs: [extract, agent, research, llmsTxt] })
