import { EngineError } from '../../errors/error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Answer, LLM, ToolCall, Turn } from '../../ports/llm.ts'
import type { Json } from '../../ports/value.ts'
import type { LiveBrowser, Snapshot } from '../../ports/sessions.ts'
import { settlePage } from './settle-page.ts'
import { makeSite, type Site } from './same-site.ts'
import { nameOfElement, withoutQuery, stepNow, type AgentScript, type ScriptStep } from './script.ts'
import { withSecret, withoutSecrets, type Secret } from './secrets.ts'
import { shownPage, systemPrompt } from './prompt.ts'
import { actionOf, agentTools, type AgentAction } from './tools.ts'

/** Carries out tasks in words in a live browser, and repeats what it has done. */
export interface Agent {
  ask(live: LiveBrowser, task: string, options: AgentOptions, signal: AbortSignal): Promise<AgentRun>
  repeat(
    live: LiveBrowser,
    script: AgentRun['script'],
    options: Pick<AgentOptions, 'secrets'>,
    signal: AbortSignal,
  ): Promise<AgentRun>
}

export interface AgentOptions {
  /** Steps, at most 25; 25 when absent. */
  readonly maxSteps?: number | undefined
  /** Tokens that all questions and answers may have together; 400,000 when absent. */
  readonly maxTokens?: number | undefined
  /** Hosts that may be visited beside the site where it begins. */
  readonly allow?: readonly string[] | undefined
  readonly secrets?: readonly Secret[] | undefined
}

export interface AgentRun {
  readonly success: boolean
  readonly answer: string
  readonly steps: readonly AgentStep[]
  /** The page that was last shown. */
  readonly page: Snapshot
  readonly tokens: number
  readonly script: AgentScript
  /** Why it did not succeed. */
  readonly error: string | undefined
}

/** What was done, or refused, and where the page was then. */
export interface AgentStep {
  readonly action: AgentAction | { readonly type: string }
  readonly outcome: 'done' | 'failed' | 'refused'
  readonly note: string
  readonly url: string
}

const mostSteps = 25
const usualTokens = 400_000
const answerTokens = 4_000

interface State {
  readonly steps: AgentStep[]
  readonly script: ScriptStep[]
  page: Snapshot
  tokens: number
}

interface Bounds {
  readonly site: Site
  readonly secrets: readonly Secret[]
}

export function makeAgent(llm: LLM, clock: Clock): Agent {
  const look = async (live: LiveBrowser, secrets: readonly Secret[], signal: AbortSignal): Promise<Snapshot> => {
    const page = await live.snapshot(signal)
    return { ...page, title: withoutSecrets(page.title, secrets), text: withoutSecrets(page.text, secrets) }
  }

  const act = async (live: LiveBrowser, action: AgentAction, secrets: readonly Secret[], signal: AbortSignal) => {
    if (action.type === 'wait') await clock.sleep(Math.min(action.ms, 5_000), signal)
    else await live.act(withSecret(action, secrets) as never, signal)
    await settlePage(live, clock, signal)
  }

  /** Does one step and says how it went. A step that leads to another site is taken back. */
  const step = async (live: LiveBrowser, action: AgentAction, state: State, bounds: Bounds, signal: AbortSignal) => {
    const { site, secrets } = bounds
    const element = nameOfElement(action, state.page)
    const record = (outcome: AgentStep['outcome'], note: string): string => {
      state.steps.push({ action, outcome, note, url: state.page.url })
      return note
    }
    if (action.type === 'goto' && !site.allows(action.url))
      return record('refused', `${action.url} is of another site. Only ${site.name} may be visited.`)
    try {
      await act(live, action, secrets, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!EngineError.is(error) || error.code !== 'action_failed') throw error
      state.page = await look(live, secrets, signal)
      return record('failed', error.message)
    }
    state.page = await look(live, secrets, signal)
    if (!site.allows(state.page.url)) {
      const left = state.page.url
      await act(live, { type: 'back' }, secrets, signal).catch(() => undefined)
      state.page = await look(live, secrets, signal)
      if (!site.allows(state.page.url))
        throw new EngineError('action_failed', `The page went to ${left}, of another site, and did not come back.`)
      return record('refused', `That led to ${new URL(left).host}, which is of another site. It was taken back.`)
    }
    state.script.push({ action, element, leadsTo: withoutQuery(state.page.url) })
    return record('done', 'Done.')
  }

  const ask: Agent['ask'] = async (live, task, options, signal) => {
    const { secrets = [], maxTokens = usualTokens } = options
    const most = Math.min(options.maxSteps ?? mostSteps, mostSteps)
    const page = await look(live, secrets, signal)
    const state: State = { steps: [], script: [], page, tokens: 0 }
    const bounds: Bounds = { site: makeSite(page.url, options.allow ?? []), secrets }
    const turns: Turn[] = [{ role: 'user', text: shownPage(page) }]
    const finish = (answer: string, error?: string): AgentRun => ({
      ...{ success: error === undefined, answer, error, steps: state.steps, page: state.page, tokens: state.tokens },
      script: { steps: state.script },
    })
    try {
      while (state.steps.length < most) {
        if (state.tokens >= maxTokens)
          return finish('', `The task has used ${state.tokens} tokens, and ${maxTokens} were allowed.`)
        const question = {
          system: systemPrompt(secrets, most),
          prompt: task,
          turns,
          tools: agentTools,
          maxOutputTokens: answerTokens,
        }
        const { value, calls, usage }: Answer = await llm.ask(question, signal)
        state.tokens += usage.inputTokens + usage.outputTokens
        const said = textOf(value)
        const done = calls.find(({ name }) => name === 'done')
        if (done || calls.length === 0) return finish(done ? textOf(done.input['answer']) : said)
        forgetPages(turns)
        turns.push({ role: 'assistant', text: said, calls })
        for (const [index, call] of calls.entries())
          turns.push({ role: 'tool', call, result: await carryOut(call, index > 0) })
      }
      return finish('', `The task was not done after ${most} steps.`)
    } catch (error) {
      return finish('', await whyItEnded(error, signal))
    }

    // References are good for one page, so one call is carried out at a time.
    async function carryOut(call: ToolCall, isLater: boolean): Promise<string> {
      if (isLater) return 'Not done: take one step at a time.'
      const action = actionOf(call.name, call.input)
      if (!action) {
        state.steps.push({
          action: { type: call.name },
          outcome: 'refused',
          note: 'There is no such tool.',
          url: state.page.url,
        })
        return 'There is no such tool.'
      }
      const note = await step(live, action, state, bounds, signal)
      return `${note}\n${shownPage(state.page)}`
    }
  }

  const repeat: Agent['repeat'] = async (live, { steps }, { secrets = [] }, signal) => {
    const page = await look(live, secrets, signal)
    const state: State = { steps: [], script: [], page, tokens: 0 }
    const hosts = steps.map(({ leadsTo }) => URL.parse(leadsTo)?.hostname ?? '')
    const bounds: Bounds = { site: makeSite(page.url, hosts), secrets }
    const repeatOne = async (one: ScriptStep): Promise<string> => {
      try {
        return await step(live, stepNow(one, state.page), state, bounds, signal)
      } catch (error) {
        return whyItEnded(error, signal)
      }
    }
    let error: string | undefined
    for (const [index, one] of steps.entries()) {
      const note = await repeatOne(one)
      const isDone = state.steps.length === index + 1 && state.steps.at(-1)?.outcome === 'done'
      if (isDone && withoutQuery(state.page.url) === one.leadsTo) continue
      error = `Step ${index + 1} of ${steps.length} did not lead to ${one.leadsTo}. ${note}`
      break
    }
    const { steps: taken, script } = state
    const success = error === undefined
    return { success, answer: '', error, steps: taken, page: state.page, tokens: 0, script: { steps: script } }
  }

  return { ask, repeat }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

/** A model is shown the newest page in full; of those before, that there was one is enough. */
function forgetPages(turns: Turn[]): void {
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'tool')
      turns[index] = { ...turn, result: turn.result.replace(/<page>[\s\S]*<\/page>/, '(an older page)') }
    else if (turn.role === 'user') turns[index] = { ...turn, text: '(the page at the beginning)' }
  }
}

/** A failure of the model or the browser is for the caller; that time was up is how the run ended. */
async function whyItEnded(error: unknown, signal: AbortSignal): Promise<string> {
  if (signal.aborted) {
    if (EngineError.is(signal.reason)) throw signal.reason
    return 'The task did not end within its time.'
  }
  if (EngineError.is(error) && error.code === 'action_failed') return error.message
  throw error
}
