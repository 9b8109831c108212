// The tabs of a recording, by the names that the steps which opened them give them.
import { EngineError } from '@harvestman/ports'

import type { Opens, Step } from '../script/schema.ts'
import { opened } from '../script/template.ts'
import type { Act } from './acts.ts'
import { plainAddress } from './address.ts'

/** What steps say of tabs. */
export interface RecordedTabs {
  /** The addresses that the tabs showed. */
  readonly addresses: readonly string[]
  /** The step of an act with the tab that it was done in, and those that it opened and closed. */
  placed(step: Step, act: Act): Step
}

/** The tabs. `shown` is what those show that are still open. One that was closed again before anything was done in it is left out. */
export function tabsOf(
  acts: readonly Act[],
  shown: ReadonlyMap<string, string> = new Map(),
  texts: Readonly<Record<string, string>> = {},
): RecordedTabs {
  const used = new Set(acts.map(({ tab }) => tab))
  const tabs = acts.flatMap(({ opens = [] }) => opens).filter((tab) => used.has(tab) || shown.has(tab))
  const names = new Map(tabs.map((tab, index) => [tab, `tab-${index + 1}`]))
  // What it showed when it was first acted in; a page that was opened in it by hand then is a step of its own.
  const addressOf = (tab: string): string | undefined => {
    const address = used.has(tab) ? acts.find((act) => act.tab === tab)?.page?.url : shown.get(tab)
    return address !== undefined && /^https?:/.test(address) ? address : undefined
  }
  const opensOf = (tab: string): readonly Opens[] => {
    const [name, address] = [names.get(tab), addressOf(tab)]
    if (name === undefined) return []
    return [{ tab: name, ...(address !== undefined && { address: opened(plainAddress(address), texts) }) }]
  }
  return {
    addresses: tabs.flatMap((tab) => addressOf(tab) ?? []),
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
    'Something was done in a tab that no recorded step had opened. Record the click that opens it, too.',
  )
}
