// Public exports of the package.
import { definePlugin } from '@harvestman/core/plugin'

import { agent } from './agent/agent.ts'
import { extract } from './extract/extract.ts'
import { llmsTxt } from './llms-txt/llms-txt.ts'
import { deepResearch } from './deep-research/deep-research.ts'
import { verify } from './verify/verify.ts'

export { agent, deepResearch, extract, llmsTxt, verify }
export type { AgentAct } from './agent/notes.ts'
export type { ResearchActivity, ResearchSource } from './deep-research/notes.ts'

/** Plugin with the job kinds `agent`, `extract`, `deep_research`, `llmstxt` and `verify`. */
export const answers = definePlugin({ name: 'answers', jobs: [extract, agent, deepResearch, llmsTxt, verify] })
