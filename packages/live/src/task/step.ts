import { type Clock, EngineError, type ErrorCode, type LiveBrowser, type Snapshot } from '@harvestman/ports'
import { isModelError } from '@harvestman/core/plugin'
import { act } from './act.ts'
import type { ConfinableBrowser, Confinement } from './confinement.ts'
import { carryOutPageTool, pageToolName, toolsOfPage, type Outcome, type PageToolAction } from './page-tool-step.ts'
import type { TaskPage } from './prompt.ts'
import { untilStill } from './until-still.ts'
import type { Site } from './same-site.ts'
import { findSecret, jsonWithoutSecrets, withSecret, withoutSecrets, type OnSecret, type Secret } from './secrets.ts'
import type { TaskAction } from './actions.ts'

/** Result of a task. */
export interface TaskRun {
  readonly success: boolean
  readonly answer: string
  readonly steps: readonly TaskStep[]
  /** The page after the last step. */
  readonly page: Snapshot
  readonly tokens: number
  /** Why the task failed. */
  readonly error: string | undefined
}

/** A step that was performed or refused, and the URL of the page at that time. */
export interface TaskStep {
  readonly action: TaskAction | { readonly type: string }
  readonly outcome: 'done' | 'failed' | 'refused'
  readonly note: string
  readonly url: string
}

export interface RunState {
  readonly steps: TaskStep[]
  page: TaskPage
  tokens: number
}

export interface RunBounds {
  readonly site: Site
  /** The URLs that the browser blocked in this run. */
  readonly confinement: Pick<Confinement, 'takeRefused'>
  readonly secrets: readonly Secret[]
  readonly onSecret: OnSecret | undefined
}

/**
 * Returns the page, with a note about pages that were closed since the last call. Rejects if the browser has ended or the
 * signal is aborted.
 */
export async function readPage(live: LiveBrowser, signal: AbortSignal): Promise<Snapshot> {
  const page = await live.snapshot(signal)
  const notes = [...live.takeNotes(), ...(page.note === undefined ? [] : [page.note])]
  return notes.length === 0 ? page : { ...page, note: notes.join(' ') }
}

/**
 * Returns the page with its tools, and with the secrets replaced in its title, text and note, since fields may show them, and in
 * its tools. Its URL is unchanged. Rejects if the browser has ended or the signal is aborted.
 */
export async function readRedactedPage(
  live: ConfinableBrowser,
  secrets: readonly Secret[],
  signal: AbortSignal,
): Promise<TaskPage> {
  const page = await readPage(live, signal)
  const tools = (await toolsOfPage(live, signal)).map((tool) => jsonWithoutSecrets(tool, secrets))
  const { title, text, note } = page
  const hide = (shown: string): string => withoutSecrets(shown, secrets)
  return { ...page, tools, title: hide(title), text: hide(text), ...(note !== undefined && { note: hide(note) }) }
}

/** Errors that are reported to the model, after which the task continues. */
const failsStep: ReadonlySet<ErrorCode> = new Set(['action_failed', 'policy_denied'])

/** Performs an action, and waits until the page has settled. */
async function perform(
  live: ConfinableBrowser,
  action: TaskAction | PageToolAction,
  { secrets, onSecret }: RunBounds,
  signal: AbortSignal,
  clock: Clock,
): Promise<Outcome> {
  if (action.type === pageToolName) {
    const outcome = await carryOutPageTool(live, action, secrets, signal)
    await untilStill(live, clock, signal)
    return outcome
  }
  const filled = withSecret(action, secrets)
  onSecret?.(findSecret(action, secrets))
  await act(filled, live, clock, signal)
  return { outcome: 'done', note: 'Done.' }
}

export type TakeStep = (
  live: ConfinableBrowser,
  action: TaskAction | PageToolAction,
  state: RunState,
  bounds: RunBounds,
  signal: AbortSignal,
) => Promise<string>

/**
 * Creates the function that performs one step of a task, records its outcome, and resolves to the note about it for the model.
 * A step that cannot be done is an outcome too; failures of the browser reject.
 */
export function makeStep(clock: Clock): TakeStep {
  /**
   * Performs a step and returns a description of its outcome. A step that leads to another site is blocked before anything is
   * sent there.
   */
  return async (live, action, state, bounds, signal) => {
    const { site, secrets, confinement, onSecret } = bounds
    const record = (outcome: TaskStep['outcome'], note: string): string => {
      state.steps.push({ action, outcome, note, url: state.page.url })
      return note
    }
    if (action.type === 'goto' && !site.allows(action.url))
      return record('refused', `${action.url} is of another site. Only ${site.name} may be visited.`)
    const recordRefused = async (address: string): Promise<string> => {
      state.page = await readRedactedPage(live, secrets, signal)
      // If the step opened a window for it, that window now shows that it was blocked, so go back.
      if (!site.allows(state.page.url)) {
        await act({ type: 'back' }, live, clock, signal).catch(() => undefined)
        state.page = await readRedactedPage(live, secrets, signal)
      }
      const { host } = new URL(address)
      return record('refused', `That leads to ${host}, which is of another site. Nothing was sent there.`)
    }
    // Discard requests that were blocked between steps, because this step did not cause them.
    confinement.takeRefused()
    let performed: Outcome
    try {
      performed = await perform(live, action, bounds, signal, clock)
    } catch (error) {
      signal.throwIfAborted()
      if (!EngineError.is(error) || !failsStep.has(error.code)) throw error
      const refused = confinement.takeRefused()
      if (refused !== undefined) return recordRefused(refused)
      state.page = await readRedactedPage(live, secrets, signal)
      return record('failed', error.message)
    } finally {
      onSecret?.(undefined)
    }
    const refused = confinement.takeRefused()
    if (refused !== undefined) return recordRefused(refused)
    state.page = await readRedactedPage(live, secrets, signal)
    // The page went to a URL that needs no request, such as a blob.
    if (!site.allows(state.page.url)) {
      const left = state.page.url
      await act({ type: 'back' }, live, clock, signal).catch(() => undefined)
      state.page = await readRedactedPage(live, secrets, signal)
      if (!site.allows(state.page.url))
        throw new EngineError('action_failed', `The page went to ${left}, of another site, and did not come back.`)
      return record('refused', `That led to ${new URL(left).host}, which is of another site. It was taken back.`)
    }
    return record(performed.outcome, performed.note)
  }
}

/**
 * Returns the error message of a task that ended with an error. Rejects with the reason of an aborted signal, except a timeout
 * of the engine after the first step, or of `AbortSignal.timeout`. Rejects with failures of the browser, and with failures of
 * the model before any step was performed.
 */
export async function taskErrorMessage(
  error: unknown,
  signal: AbortSignal,
  { steps }: Pick<RunState, 'steps'>,
): Promise<string> {
  if (signal.aborted) {
    const reason: unknown = signal.reason
    // Steps that were performed are part of the result. Without any, there is nothing to report.
    const isReported = EngineError.is(reason)
      ? reason.code === 'timeout' && steps.length > 0
      : reason instanceof DOMException && reason.name === 'TimeoutError'
    if (!isReported) throw reason
    return 'The task did not finish within its time limit.'
  }
  if (EngineError.is(error) && error.code === 'action_failed') return error.message
  // The steps performed so far remain valid.
  if (isModelError(error) && steps.length > 0) return error.message
  throw error
}
