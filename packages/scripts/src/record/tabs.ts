// Names the tabs of a recording by the order in which steps opened them.
import { EngineError } from '@harvestman/ports'

import type { Opens, Step } from '../script/schema.ts'
import { insertPlaceholders } from '../script/template.ts'
import type { Act } from './acts.ts'
import { plainUrl } from './address.ts'

/** Adds tabs to steps. */
export interface RecordedTabs {
  /** The URLs that the tabs showed. */
  readonly urls: readonly string[]
  /** Returns the step with the tab of its action, and the tabs that it opened and closed. */
  placed(step: Step, act: Act): Step
}

/**
 * Returns the tabs of a recording. `shown` has the URLs of tabs that are still open. Tabs that were closed without an action in
 * them are omitted. `placed` throws `invalid_request` for an action in a tab that no step has opened.
 */
export function tabsOf(
  acts: readonly Act[],
  shown: ReadonlyMap<string, string> = new Map(),
  texts: Readonly<Record<string, string>> = {},
): RecordedTabs {
  const used = new Set(acts.map(({ tab }) => tab))
  const tabs = acts.flatMap(({ opens = [] }) => opens).filter((tab) => used.has(tab) || shown.has(tab))
  const names = new Map(tabs.map((tab, index) => [tab, `tab-${index + 1}`]))
  // Its URL at the first action in it. If the user opened another URL there, that is a separate step.
  const urlOf = (tab: string): string | undefined => {
    const address = used.has(tab) ? acts.find((act) => act.tab === tab)?.page?.url : shown.get(tab)
    return address !== undefined && /^https?:/.test(address) ? address : undefined
  }
  const opensOf = (tab: string): readonly Opens[] => {
    const [name, address] = [names.get(tab), urlOf(tab)]
    if (name === undefined) return []
    return [{ tab: name, ...(address !== undefined && { address: insertPlaceholders(plainUrl(address), texts) }) }]
  }
  return {
    urls: tabs.flatMap((tab) => urlOf(tab) ?? []),
    placed: (step, act) => {
      const opens = (act.opens ?? []).flatMap(opensOf)
      const closes = (act.closes ?? []).flatMap((tab) => names.get(tab) ?? [])
      const tab = act.tab === undefined ? undefined : nameOf(names, act.tab)
      return {
        ...step,
        ...(tab !== undefined && { tab }),
        expects: {
          ...step.expects,
          ...(opens.length > 0 && { opens }),
          ...(closes.length > 0 && { closes }),
        },
      }
    },
  }
}

function nameOf(names: ReadonlyMap<string, string>, tab: string): string {
  const name = names.get(tab)
  if (name !== undefined) return name
  throw new EngineError(
    'invalid_request',
    'An action was in a tab that no recorded step has opened. Record the click that opens it, too.',
  )
}
