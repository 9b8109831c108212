import type { BrowserProfile, LiveBrowser } from '@harvestman/ports'
import type { PolicyGate } from '@harvestman/core/plugin'
import { makeConfinements, type ConfinableBrowser } from '../task/confinement.ts'

/** A live browser that goes and does what the policies of the engine, and its running tasks, allow. */
export function allowedBrowser(policies: PolicyGate, team: string) {
  const never = new AbortController().signal
  const { check, confine } = makeConfinements()
  return {
    profile: (profile: BrowserProfile): BrowserProfile => ({
      ...profile,
      mayVisit: async (url) => {
        check(url)
        if (policies.areAny) await policies.url(url, { team, signal: never })
      },
    }),
    live: (live: LiveBrowser): ConfinableBrowser => {
      if (!policies.areAny) return { ...live, confine }
      const act: LiveBrowser['act'] = async (action, signal) => {
        await policies.action(withoutText(action), await live.tab.url(), { team, signal })
        return live.act(action, signal)
      }
      return { ...live, act, confine }
    },
  }
}

/** Removes a text that is filled in only on one origin: it is a secret, and no policy is told of it. */
function withoutText(action: Parameters<LiveBrowser['act']>[0]): Parameters<LiveBrowser['act']>[0] {
  return action.type === 'fill' && action.onlyOn !== undefined ? { ...action, text: '' } : action
}
