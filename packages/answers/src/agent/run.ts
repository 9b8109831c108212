import {
  askForText,
  askForValue,
  citeStatements,
  citeValues,
  estimateTokens,
  isModelError,
  quotedTogether,
  quotingRule,
  readStatements,
  tariff,
  tokenPrice,
  wordsOfSchema,
  type CitablePage,
  type LLMContext,
} from '@harvestman/core/plugin'
import { type Answer, EngineError, type Json, type ToolCall, type Turn, type Usage } from '@harvestman/ports'

import { pageTokensFor, withinBudget } from '../within-budget.ts'
import { carryOut } from './acts.ts'
import { shortenConversation } from './conversation.ts'
import { earlierIn, type AgentAct, type AgentNote, type AgentWork, type Findings } from './notes.ts'
import type { AgentRequest } from './request.ts'
import { buildAgentPrompt, agentRules, toolsFor } from './words.ts'

export const agentLimits = {
  /** Credits that must be available to start. */
  credits: 20,
  steps: { low: 8, medium: 15, high: 25 },
  tokens: { low: 100_000, medium: 200_000, high: 400_000 },
  /** In milliseconds, by effort. */
  time: { low: 180_000, medium: 360_000, high: 600_000 },
  callsOfStep: 4,
  answerTokens: 2_000,
} as const

const defaultContext = 16_000

/**
 * Runs an agent and returns its result: a message for a chat, else data. Resumes from the saved steps after a restart. After
 * the time limit of its effort (3, 6 or 10 minutes), or a model error once something was found, it uses the findings so far.
 * Rejects with `model_failed` if it found no data, with `insufficient_credits`, after an abort, and with any other error.
 */
export async function runAgent(request: AgentRequest, work: AgentWork): Promise<Json> {
  const late = AbortSignal.timeout(agentLimits.time[request.effort])
  const time = AbortSignal.any([work.signal, late])
  try {
    await lookAround(request, { work, signal: time })
  } catch (error) {
    work.signal.throwIfAborted()
    if (isOutOfCredits(error)) {
      await stopForCredits(request, work)
      throw typed(error)
    }
    // After a timeout or a model error, answers from the findings so far.
    const isCutShort = isModelError(error) && findingsOf(work).length > 0
    if (!late.aborted && !isCutShort) throw error
    if (isCutShort) await work.keep({ act: failedAct(error.message, work) })
  }
  try {
    return await answerFrom(request, work)
  } catch (error) {
    if (!isOutOfCredits(error)) throw error
    await work.keep({ stop: 'credit_limit_reached' })
    throw typed(error)
  }
}

/** Ends a run that lacks credits. If the remaining credits allow it, stores an answer from the findings so far. */
async function stopForCredits(request: AgentRequest, work: AgentWork): Promise<void> {
  const partial = findingsOf(work).length === 0 ? undefined : await answerFrom(request, work).catch(() => undefined)
  work.signal.throwIfAborted()
  await work.keep({ stop: 'credit_limit_reached', ...(partial !== undefined && { partial }) })
}

interface AgentTools {
  readonly work: AgentWork
  readonly signal: AbortSignal
}

/** Lets the model call tools until it finishes or reaches its limit of steps or tokens. */
async function lookAround(request: AgentRequest, tools: AgentTools): Promise<void> {
  const { work, signal } = tools
  const most = agentLimits.steps[request.effort]
  const turns = work.steps.flatMap(({ step }) => step.turn ?? [])
  let tokens = work.steps.reduce((sum, { step }) => sum + (step.tokens ?? 0), 0)
  let steps = turns.filter(({ role }) => role === 'assistant').length
  while (steps < most && tokens < agentLimits.tokens[request.effort]) {
    const answer = await askWhatToDo(request, turns, most - steps, tools)
    steps += 1
    tokens += sumOf(answer.usage)
    const calls = answer.calls.slice(0, agentLimits.callsOfStep)
    const said: Turn = { role: 'assistant', text: typeof answer.value === 'string' ? answer.value : '', calls }
    const isDone = calls.length === 0 || calls.some(({ name }) => name === 'finish')
    const notes: AgentNote[] = [{ turn: said, tokens: sumOf(answer.usage) }]
    for (const call of calls) {
      if (call.name === 'finish') continue
      signal.throwIfAborted()
      notes.push(await doCall(call, request, tools))
    }
    if (!isDone) turns.push(said, ...notes.flatMap(({ turn }) => (turn?.role === 'tool' ? [turn] : [])))
    await work.keep(...(isDone ? notes.filter(({ act }) => act) : notes))
    if (isDone) return
  }
}

async function doCall(call: ToolCall, request: AgentRequest, { work, signal }: AgentTools): Promise<AgentNote> {
  const found = findingsOf(work)
  const { result, outcome, findings, isFailure } = await carryOut(call, { request, found, work, signal })
  const at = new Date(work.clock.now()).toISOString()
  const act = { action: call.name, input: call.input as Json, outcome, isFailure, creditsUsed: work.spent, at }
  return { turn: { role: 'tool', call, result }, act, ...(findings && { findings }) }
}

async function askWhatToDo(
  request: AgentRequest,
  turns: readonly Turn[],
  left: number,
  { work, signal }: AgentTools,
): Promise<Answer> {
  const { llm, search } = work.ports
  const system = agentRules(left)
  const prompt = buildAgentPrompt(request, earlierIn(work))
  const offered = toolsFor(request, search !== undefined)
  const around = estimateTokens(system + prompt + JSON.stringify(offered)) + agentLimits.answerTokens
  const room = Math.max((llm.contextTokens ?? defaultContext) - around, 2_000)
  const shown = shortenConversation(turns, room)
  const most = agentTokenPrice({ inputTokens: around + estimateTokens(JSON.stringify(shown)), outputTokens: 0 })
  return work.pay(
    most,
    ({ usage }) => agentTokenPrice(usage),
    () =>
      llm.ask(
        { system, prompt, turns: shown, tools: offered, temperature: 0, maxOutputTokens: agentLimits.answerTokens },
        signal,
      ),
  )
}

/** Records that the model failed to choose a next step. */
function failedAct(outcome: string, work: AgentWork): AgentAct {
  const at = new Date(work.clock.now()).toISOString()
  return { action: 'choose', input: null, outcome, isFailure: true, creditsUsed: work.spent, at }
}

function findingsOf({ steps }: AgentWork): readonly Findings[] {
  return steps.flatMap(({ step }) => step.findings ?? [])
}

const anyObject = { type: 'object' } as const

/**
 * Writes the final answer from the findings only: a message for a chat, else data. Data without findings throws `model_failed`.
 */
async function answerFrom(request: AgentRequest, work: AgentWork): Promise<Json> {
  const found = findingsOf(work)
  const isChat = request.mode === 'chat'
  const earlier = earlierIn(work)
  if (found.length === 0 && !isChat && earlier === '') {
    const why = work.steps.findLast(({ step }) => step.act?.isFailure)?.step.act?.outcome
    throw new EngineError('model_failed', `The agent found nothing to answer from.${why ? ` ${why}` : ''}`)
  }
  const before = earlier === '' ? [] : [`## Said before in this conversation\n\n${earlier}`]
  const topic = `${request.prompt} ${wordsOfSchema(request.schema ?? {})}`
  const budget = { maxTokens: pageTokensFor(work.ports.llm), topic }
  // A page that was read twice is there once.
  const unique = [...new Map(found.map((one) => [one.version?.url ?? one.url, one])).values()]
  const pages = unique.map(({ text, headLength = 0 }) => ({
    head: text.slice(0, headLength),
    markdown: text.slice(headLength),
  }))
  const read = await withinBudget(pages, budget, work.signal)
  const text = [...before, ...(read === '' ? [] : [read])].join('\n\n') || '(No page was read.)'
  let used: Usage = { inputTokens: 0, outputTokens: 0 }
  const llmContext: LLMContext = {
    llm: work.ports.llm,
    signal: work.signal,
    use: ({ inputTokens, outputTokens }) => {
      used = { inputTokens: used.inputTokens + inputTokens, outputTokens: used.outputTokens + outputTokens }
    },
    warn: () => undefined,
  }
  const task = isChat ? `${request.prompt}\n\n${quotingRule}` : request.prompt
  const question = { task, page: { url: 'several pages, each under its address', text } }
  const most = agentTokenPrice({ inputTokens: estimateTokens(text), outputTokens: agentLimits.answerTokens })
  const together = `The parts of the pages gave the messages below. Make one message of them. ${quotedTogether}`
  const answer = await work.pay(
    most,
    () => agentTokenPrice(used),
    () =>
      isChat
        ? askForText(llmContext, question, together)
        : askForValue(llmContext, question, request.schema ?? anyObject),
  )
  return cite(answer, isChat, work)
}

/** Stores the claims of a result with their citations, and returns the result without the passages that the model names. */
async function cite(answer: Json, isChat: boolean, work: AgentWork): Promise<Json> {
  const pages = findingsOf(work).flatMap(({ text, version, headLength = 0 }): readonly CitablePage[] =>
    version ? [{ version, text: text.slice(headLength) }] : [],
  )
  if (!isChat || typeof answer !== 'string') {
    await work.keep({ claims: await citeValues(answer, pages, work.signal) })
    return answer
  }
  const { text, statements } = readStatements(answer)
  await work.keep({ claims: await citeStatements(statements, pages, work.signal) })
  return text
}

/** Agents use many tokens, so these cost less than the tokens of an extract. */
function agentTokenPrice(usage: Usage): number {
  return tokenPrice(usage, tariff.tokensOfAgentCredit)
}

function sumOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens
}

function isOutOfCredits(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'insufficient_credits'
}

function typed(error: EngineError): EngineError {
  return new EngineError('insufficient_credits', `credit_limit_reached: ${error.message}`, { details: error.details })
}
