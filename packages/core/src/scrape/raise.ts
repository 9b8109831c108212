// What to try next when a host blocks a page. Loaded only then.
import { EngineError, type PickedProxy } from '@harvestman/ports'
import type { Block, Loader } from '../plugin/parts.ts'
import type { ScrapeContext } from './context.ts'
import type { HostStep, HostSteps } from './hosts.ts'
import type { LadderStep, StepResult } from './ladder.ts'
import { runsScripts, type Plan, type Tier } from './plan.ts'
import { isDenied } from './policies.ts'

export interface RaiseTools {
  /** Returns `undefined` to load the page directly, or the reason why the tier cannot be used. */
  readonly pick: (tier: Tier) => Promise<PickedProxy | string | undefined>
  readonly attempt: (step: LadderStep, context: ScrapeContext) => Promise<StepResult>
}

/** Position on the ladder: a tier and a loader of the plan. */
interface Position {
  readonly tier: number
  readonly loader: number
}

interface Next extends LadderStep {
  readonly position: Position
  /** For `explain`. */
  readonly outcome: string
}

/** Why there is no next step. */
interface End {
  readonly end: string
  /** True if every step of the plan that could help was tried and blocked. */
  readonly isExhausted?: boolean
}

type Choice = Next | End

const maxSteps = 8
/** Other proxies of a free tier that are tried before a tier that costs more. */
const maxOtherProxies = 2
/** Milliseconds that a step needs at least. */
const minStep = 1_000
const maxWait = 10_000

/**
 * Tries the steps that the signal of a block suggests, the cheapest first, until one returns the page: a wait if the host
 * requests it, a loader with more capabilities, another proxy, the next proxy tier of the plan. Returns the first result, with
 * the block that a person could solve if a step met one, if all are blocked, if the time does not suffice, or if actions would
 * be repeated. Remembers what helped, and rejects if a policy forbids a step or an action of a step fails.
 */
export async function raise(first: StepResult & { readonly block: Block }, tools: RaiseTools, context: ScrapeContext) {
  const { plan, steps } = context
  const ladder = new Ladder(first, tools, context)
  const end = (reason: string): void => steps?.note({ step: 'block', outcome: 'kept', reason })
  let last: StepResult = first
  let solvable = isForPerson(first.block) ? first.block : undefined
  let blocked = 0
  let isExhausted = false
  for (let count = 0; count < maxSteps; count += 1) {
    const block: Block = last.block ?? { signal: 'broken', reason: 'The step failed.' }
    const choice = await ladder.next(block)
    if ('end' in choice) {
      end(`${block.reason} ${choice.end}`)
      isExhausted = choice.isExhausted === true
      break
    }
    const { tier, outcome } = choice
    steps?.note({ step: tier === ladder.tier ? 'block' : 'proxy', outcome, reason: block.reason })
    last = await ladder.climb(choice)
    if ('page' in last && !last.block) {
      if (outcome !== 'wait') await remember(context, { loader: last.page.loader, tier }, first.block)
      return last
    }
    if (last.block && isForPerson(last.block)) solvable = last.block
    if ('page' in last && last.block?.signal !== 'rate') blocked += 1
  }
  if (blocked > 0 && isExhausted && plan.mayKeep) await rememberWall(first.block, context)
  return 'page' in first && solvable ? { ...first, block: solvable } : first
}

/** Returns whether a person could get past the block, and no further step can. */
function isForPerson({ signal }: Block): boolean {
  return signal === 'captcha' || signal === 'login'
}

/** Remembers a step that helped, unless it is the first one with another proxy. Losing the record costs steps, not the page. */
export async function remember({ plan, caller, kit }: ScrapeContext, step: HostStep, { reason }: Block): Promise<void> {
  const isFirst = step.loader === plan.loaders[0]?.name && step.tier === plan.tiers[0]
  if (!plan.mayKeep || isFirst) return
  await kit.hosts.sawPassage(plan.url.host, caller.team, step, reason).catch(() => undefined)
}

/** Remembers that no step got past the block. */
async function rememberWall({ signal }: Block, { plan, caller, kit }: ScrapeContext): Promise<void> {
  await kit.hosts.sawWall(plan.url.host, caller.team, signal, stepsOf(plan)).catch(() => undefined)
}

function stepsOf({ loaders, tiers }: Plan): HostSteps {
  return { loaders: loaders.map(({ name }) => name), tiers }
}

class Ladder {
  readonly #tools: RaiseTools
  readonly #context: ScrapeContext
  readonly #usedProxies: Set<string>
  #position: Position
  #hasActed: boolean
  #hasWaited = false
  #isFirst = true
  /** True if a step was skipped, or failed without a page. */
  #hasGaps = false
  #otherProxies = 0

  constructor(first: StepResult, tools: RaiseTools, context: ScrapeContext) {
    this.#tools = tools
    this.#context = context
    this.#position = { tier: 0, loader: 'page' in first ? this.#indexOf(first.page.loader) : 0 }
    this.#hasActed = 'page' in first && changesState(context)
    this.#usedProxies = new Set(first.proxy ? [first.proxy.url] : [])
  }

  get tier(): Tier {
    return this.#context.plan.tiers[this.#position.tier] ?? 'basic'
  }

  #indexOf(loader: string): number {
    return Math.max(
      0,
      this.#context.plan.loaders.findIndex(({ name }) => name === loader),
    )
  }

  /** Chooses the next step after a block, or returns why there is none. */
  async next(block: Block): Promise<Choice> {
    const { time } = this.#context
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (block.signal === 'login') return { end: 'Another visitor would get the same form.' }
    if (this.#hasActed) return { end: 'The actions of the request have been performed and are not repeated.' }
    if (time.timeLeft() < minStep) return { end: 'There is no time for another step.' }
    if (block.signal === 'rate') return this.#wait(block)
    const known = isFirst ? await this.#known(block) : undefined
    if (known && 'end' in known) return known
    const remembered = known && (await this.#toKnown(known))
    if (remembered && !('end' in remembered)) return remembered
    const position = this.#after(block)
    if (position) return this.#to(position, this.tier)
    return (await this.#anotherProxy()) ?? this.#toTier({ ...this.#position, tier: this.#position.tier + 1 })
  }

  /** Runs a step in the time that leaves some for the rest of the document. */
  async climb(next: Next): Promise<StepResult> {
    const { kit, time } = this.#context
    this.#position = next.position
    // A step that fails may have performed some of the actions.
    this.#hasActed ||= changesState(this.#context)
    if (next.proxy) this.#usedProxies.add(next.proxy.url)
    const left = time.timeLeft()
    const deadline = kit.deadlines.start(left - Math.min(3_000, left / 4), time.signal)
    try {
      // The race covers loaders that ignore the signal.
      const tried = await deadline.race(this.#tools.attempt(next, { ...this.#context, time: deadline }))
      if ('error' in tried && (isDenied(tried.error) || tried.error.code === 'action_failed')) throw tried.error
      this.#hasGaps ||= 'error' in tried
      if ('page' in tried) this.#position = { ...next.position, loader: this.#indexOf(tried.page.loader) }
      return tried
    } catch (error) {
      time.check()
      if (!EngineError.is(error) || error.code !== 'timeout') throw error
      this.#hasGaps = true
      return { error, block: undefined, proxy: next.proxy }
    } finally {
      deadline.end()
    }
  }

  /** Returns the remembered step, or that none helps. */
  async #known({ signal }: Block): Promise<Position | End | undefined> {
    const { plan, kit, caller } = this.#context
    // A recorded scrape must not depend on the host memory, because the engine that replays it does not have it.
    if (plan.request.record) return undefined
    const { host } = plan.url
    const hopeless = await kit.hosts.findHopeless(host, caller.team, signal, stepsOf(plan)).catch(() => undefined)
    if (hopeless)
      return { end: `No step got past it on ${host}; remembered until ${new Date(hopeless.until).toISOString()}.` }
    const step = (await kit.hosts.find(host, caller.team).catch(() => undefined))?.step
    const tier = plan.tiers.findIndex((one) => one === step?.tier)
    const loader = plan.loaders.findIndex(({ name }) => name === step?.loader)
    const isFurther = tier > this.#position.tier || (tier === this.#position.tier && loader > this.#position.loader)
    return tier >= 0 && loader >= 0 && isFurther ? { tier, loader } : undefined
  }

  /** Returns the next position within the tier that can get past the block. `undefined` if only another proxy can help. */
  #after({ signal }: Block): Position | undefined {
    const { tier, loader } = this.#position
    const { loaders } = this.#context.plan
    // Further loaders were tried in the step itself if the host closed the connection.
    if (signal === 'address' || signal === 'broken') return undefined
    const found = loaders.findIndex((one, index) => index > loader && canHelp(one, signal))
    return found < 0 ? undefined : { tier, loader: found }
  }

  async #wait({ retryAfter }: Block): Promise<Choice> {
    const { caller, kit, time } = this.#context
    if (caller.group !== undefined) return { end: 'The job visits the host again later.' }
    if (retryAfter === undefined) return { end: 'It gives no time to wait.' }
    if (this.#hasWaited || retryAfter > Math.min(maxWait, time.timeLeft() / 2))
      return { end: 'The time does not suffice to wait.' }
    this.#hasWaited = true
    await kit.clock.sleep(retryAfter, time.signal)
    return this.#to(this.#position, this.tier, 'wait')
  }

  async #anotherProxy(): Promise<Choice | undefined> {
    if (this.tier !== 'basic' || this.#usedProxies.size === 0 || this.#otherProxies >= maxOtherProxies) return undefined
    const proxy = await this.#tools.pick(this.tier)
    if (!proxy || typeof proxy === 'string') return undefined
    if (this.#usedProxies.has(proxy.url)) {
      proxy.report?.({ outcome: 'unknown' })
      return undefined
    }
    this.#otherProxies += 1
    return this.#step(this.#position, this.tier, 'another proxy', proxy)
  }

  async #toTier(position: Position): Promise<Choice> {
    const tier = this.#context.plan.tiers[position.tier]
    if (tier === undefined) return { end: 'There is no further step.', isExhausted: !this.#hasGaps }
    return this.#to(position, tier, `${tier} next`)
  }

  /** Goes to a remembered step, unless it has no proxy. */
  async #toKnown(position: Position): Promise<Choice> {
    const isSameTier = position.tier === this.#position.tier
    const choice = await (isSameTier ? this.#to(position, this.tier) : this.#toTier(position))
    this.#hasGaps ||= !('end' in choice)
    return choice
  }

  async #to(position: Position, tier: Tier, outcome?: string): Promise<Choice> {
    const proxy = await this.#tools.pick(tier)
    return typeof proxy === 'string' ? { end: proxy } : this.#step(position, tier, outcome, proxy)
  }

  #step(position: Position, tier: Tier, outcome: string | undefined, proxy: PickedProxy | undefined): Next {
    const loaders = this.#context.plan.loaders.slice(position.loader)
    return { position, tier, loaders, proxy, outcome: outcome ?? `${loaders[0]?.name ?? 'loader'} next` }
  }
}

/** Returns whether a loader can get past a block. */
function canHelp(loader: Loader, signal: Block['signal']): boolean {
  if (loader.onlyAfter) return loader.onlyAfter.includes(signal)
  return signal !== 'challenge' || runsScripts(loader)
}

/** Returns whether actions of the request may change something, unlike a wait or a screenshot. */
function changesState({ plan }: ScrapeContext): boolean {
  return plan.actions.some(({ needs }) => needs.ownContext)
}
