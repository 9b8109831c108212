// What an answer from the web will cost, before anything of it is done.
import type { WebKit } from '../answers/web-kit.ts'
import { requireAgentParts } from '../agent/agent.ts'
import { tariff } from '../credits/tariff.ts'
import { many, type Preview, type PriceReason } from '../plugin/price.ts'
import { requireResearchParts } from '../research/research.ts'
import { mostReadIn } from '../research/run.ts'
import type { AgentRequest } from '../schema/agent-request.ts'
import type { ResearchRequest } from '../schema/research.ts'

export type AnswerParts = Pick<WebKit, 'llm' | 'hasSearch'>

/** How far an agent goes is up to a model, so its cap is the only bound. */
export function agentCost(request: AgentRequest, web: AnswerParts): Preview {
  requireAgentParts(request, web)
  const { maxCredits } = request
  const { page, map, search, tokensOfAgentCredit } = tariff
  const reasons: readonly PriceReason[] = [
    { what: 'Each page that it reads', min: page, max: page },
    { what: 'Each list of a site', min: 0, max: map },
    { what: 'Each search', min: 0, max: search.credits },
    { what: `The tokens of a language model, ${tokensOfAgentCredit} for a credit`, min: 0 },
    { what: 'No more than maxCredits', min: 0, max: maxCredits },
  ]
  return { min: page, max: maxCredits, reasons }
}

/** Searches and what the model does are no part of its price. */
export function researchCost(request: ResearchRequest, web: AnswerParts): Preview {
  requireResearchParts(web)
  const { page } = tariff
  const most = Math.min(request.maxUrls, mostReadIn(request.maxDepth))
  const one: Preview = { min: page, max: page, reasons: [] }
  return many(one, { least: 1, most, maxCredits: request.maxCredits }, 'pages')
}
