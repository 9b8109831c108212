import { totalmem } from 'node:os'

import { openControlGroups, type ControlGroup, type ControlGroups } from '@harvestman/toolbox/control-groups/groups'
import { groupRemedy, whyNoGroup } from '@harvestman/toolbox/control-groups/obstacles'

import { defaultPageMemory, defaultTabs, type BrowserLimits, type PuppeteerOptions } from '../lib/options.ts'

// A session may open more tabs, but rarely fills more than this.
const fullPagesOfSession = 2
// Threads count as processes: a page has about ten, and one more for each of its workers.
const processesOfPage = 500
const processesBeside = 1_000
const shareOfMachine = 0.75

/**
 * Returns the limits of one browser: memory in bytes, and the number of processes and threads. The memory is `pageMemory` for
 * each of its `tabs` (2 in a live browser) and once more for the processes they share, at most 75% of the available memory.
 * `options.limits` takes precedence.
 */
export function limitsOf(options: PuppeteerOptions, isLive: boolean): BrowserLimits {
  const { pageMemory = defaultPageMemory, tabs = defaultTabs } = options
  const pages = isLive ? fullPagesOfSession : tabs
  return {
    memory: Math.floor(Math.min(pageMemory * (pages + 1), shareOfMachine * memoryHere())),
    processes: processesBeside + processesOfPage * pages,
    ...options.limits,
  }
}

/** Returns the memory available to this process, in bytes, considering the limits of its container. */
function memoryHere(): number {
  const allowed = process.constrainedMemory()
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem()
}

/**
 * Returns a function that creates a control group, which limits the resources of a browser. It returns `undefined` if this
 * process may not create any.
 */
export function groupMaker(limits: BrowserLimits): () => ControlGroup | undefined {
  let groups: ControlGroups | undefined
  let isKnown = false
  return () => {
    try {
      if (!isKnown) groups = openGroups()
      return groups?.make(limits)
    } catch {
      // Control groups are one of several limits, so the browser starts without one too.
      return undefined
    } finally {
      isKnown = true
    }
  }
}

function openGroups(): ControlGroups {
  return openControlGroups(['memory'])
}

/** The limits that this host can enforce on browsers. */
export interface BrowserBounds {
  /** The control-group controllers that limit a browser as a whole: `memory`, `pids`, `cpu`. */
  readonly controllers: readonly string[]
  /** Why there are no control groups, and how to fix it. */
  readonly obstacle?: { readonly reason: string; readonly remedy: string }
}

/**
 * Checks the limits by creating and removing a control group. Does not throw if that is not possible, but returns the obstacle
 * and the remedy.
 */
export function browserBounds(): BrowserBounds {
  try {
    return { controllers: openGroups().controllers }
  } catch (error) {
    return { controllers: [], obstacle: { reason: whyNoGroup(error), remedy: groupRemedy } }
  }
}
