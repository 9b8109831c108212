import type { BrowserProfile, LiveBrowser } from '@harvestman/ports'
import type { PolicyGate } from '@harvestman/core/plugin'

/** A live browser that goes and does what the policies of the engine allow a team. */
export function allowedBrowser(policies: PolicyGate, team: string) {
  const never = new AbortController().signal
  return {
    profile: (profile: BrowserProfile): BrowserProfile =>
      policies.areAny ? { ...profile, mayVisit: (url) => policies.url(url, { team, signal: never }) } : profile,
    live: (live: LiveBrowser): LiveBrowser => {
      if (!policies.areAny) return live
      const act: LiveBrowser['act'] = async (action, signal) => {
        await policies.action(withoutText(action), await live.tab.url(), { team, signal })
        return live.act(action, signal)
      }
      return { ...live, act }
    },
  }
}

/** Removes a text that is filled in only on one origin: it is a secret, and no policy is told of it. */
function withoutText(action: Parameters<LiveBrowser['act']>[0]): Parameters<LiveBrowser['act']>[0] {
  return action.type === 'fill' && action.onlyOn !== undefined ? { ...action, text: '' } : action
}
