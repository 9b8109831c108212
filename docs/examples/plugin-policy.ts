import { createEngine } from '@harvestman/core'
import { definePlugin, definePolicy } from '@harvestman/core/plugin'

/** Allows only these hosts, and forbids text input. */
export function houseRules(hosts: readonly string[]) {
  return definePolicy({
    name: 'house rules',
    may: (question, { team }) => {
      switch (question.is) {
        case 'url':
          return hosts.includes(question.url.hostname) || `The host is not among those of ${team}.`
        case 'action':
          return question.action.type !== 'write' || 'Nothing is typed into pages.'
        default:
          return true
      }
    },
  })
}

export async function readAllowed(url: string, hosts: readonly string[], allowPrivate: readonly string[] = []) {
  const rules = definePlugin({ name: 'rules', policies: [houseRules(hosts)] })
  const engine = createEngine({ allowPrivate, plugins: [rules] })
  try {
    const { markdown } = await engine.scrape({ url })
    return markdown
  } finally {
    await engine.close()
  }
}
