// The sitemap and the feed of a living site.
import { changedAt, stateAt, type PagePlan } from './plan.ts'

/** The response to a request. */
export interface LivingAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Listing {
  readonly now: number
  readonly start: number
  readonly origin: string
  readonly listing: 'honest' | 'stale' | undefined
}

/**
 * Returns the sitemap of a living site at the time `now`, without the pages that are gone, and with dates only if `listing` is
 * set. Times are in milliseconds since 1970.
 */
export function sitemapOf(plans: readonly PagePlan[], { now, start, origin, listing }: Listing): LivingAnswer {
  const timeOf = (plan: PagePlan): number => (listing === 'honest' ? changedAt(plan, now, start) : start)
  const rows = plans
    .filter((plan) => !stateAt(plan, now - start).isGone)
    .map((plan) => {
      const time = listing ? `<lastmod>${new Date(timeOf(plan)).toISOString()}</lastmod>` : ''
      return `<url><loc>${origin}/page/${plan.number}</loc>${time}</url>`
    })
  const body = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.join('')}</urlset>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body }
}

const maxFeedItems = 50

/** Returns the feed of a living site: its 50 most recently changed pages, and a hub. */
export function feedOf(plans: readonly PagePlan[], { now, start, origin, listing }: Listing): LivingAnswer {
  const newest = plans
    .filter((plan) => !stateAt(plan, now - start).isGone)
    .map((plan) => ({ number: plan.number, at: changedAt(plan, now, start) }))
    .toSorted((one, other) => other.at - one.at)
    .slice(0, maxFeedItems)
  const entries = newest.map(({ number, at }) => {
    const updated = new Date(listing === 'honest' ? at : start).toISOString()
    const url = `${origin}/page/${number}`
    return `<entry><id>${url}</id><title>Page ${number}</title><link href="${url}"/><updated>${updated}</updated></entry>`
  })
  const head = `<id>${origin}/</id><title>Living site</title><updated>${new Date(now).toISOString()}</updated>`
  const links = `<link rel="self" href="${origin}/feed.xml"/><link rel="hub" href="${origin}/hub"/>`
  const body = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${head}${links}${entries.join('')}</feed>`
  return { status: 200, headers: { 'content-type': 'application/atom+xml' }, body }
}
