import type { BrowserProfile, LiveBrowser } from '@harvestman/ports'
import type { PolicyGate } from '@harvestman/core/plugin'
import { withOverrides } from '@harvestman/toolbox/with-overrides'
import { makeConfinements, type ConfinableBrowser } from '../task/confinement.ts'

/**
 * Returns functions that wrap the profile and the browser of a session. Policies of the engine and running tasks decide which
 * URLs it may visit, and policies decide about actions of `act`. Whatever they forbid rejects with `policy_denied`. Code and
 * DevTools clients are limited by URL only.
 */
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
      const permit: ConfinableBrowser['permit'] = async (action, signal) => {
        if (!policies.areAny) return undefined
        const url = await live.tab.url()
        await policies.action(action, url, { team, signal })
        return url
      }
      if (!policies.areAny) return Object.assign(withOverrides(live, {}), { confine, permit })
      const act: LiveBrowser['act'] = async (action, signal) => {
        await permit(withoutText(action), signal)
        return live.act(action, signal)
      }
      return Object.assign(withOverrides(live, { act }), { confine, permit })
    },
  }
}

/** Removes text that may be filled in on only one origin: it is a secret, which policies must not receive. */
function withoutText(action: Parameters<LiveBrowser['act']>[0]): Parameters<LiveBrowser['act']>[0] {
  return action.type === 'fill' && action.onlyOn !== undefined ? { ...action, text: '' } : action
}
