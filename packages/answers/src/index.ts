// The public names, one by one. What is not here is not public.
import { definePlugin } from '@harvestman/core/plugin'

import { llmsTxt } from './llms-txt/llms-txt.ts'

export { llmsTxt }

/** The kinds of jobs that answer from the web. */
export const answers = definePlugin({ name: 'answers', jobs: [llmsTxt] })
