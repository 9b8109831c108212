const maxParts = 60
const examples = 3
const maxUrlLength = 150

/**
 * Summarizes the paths of a site in text: the 60 most frequent first segments by host, each with its count and up to three
 * examples. Without URLs, the summary is a sentence about that.
 */
export function outlineOf(addresses: readonly string[]): string {
  if (addresses.length === 0) return '(no addresses of the site are known)'
  const parts = new Map<string, { count: number; readonly some: string[] }>()
  for (const address of addresses) {
    const { host, pathname } = URL.parse(address) ?? { host: '', pathname: '/' }
    const [, first = ''] = pathname.split('/')
    const name = `${host}/${first}`
    const part = parts.get(name) ?? { count: 0, some: [] }
    parts.set(name, part)
    part.count += 1
    if (part.some.length < examples) part.some.push(pathname.slice(0, maxUrlLength))
  }
  const largest = [...parts].sort(([, one], [, other]) => other.count - one.count).slice(0, maxParts)
  return largest
    .map(([name, { count, some }]) => `${name.slice(0, maxUrlLength)} (${count}): ${some.join(' ')}`)
    .join('\n')
}
