import { concepts } from './concepts.ts'

// The schema.org names in use, with the casing of schema.org. Pages write them in any case, with or without the URL of
// the vocabulary.

const types =
  'AggregateOffer Article Blog BlogPosting Book BreadcrumbList Car CollectionPage Course Event FAQPage HowToSection HowToStep ' +
  'ItemList JobPosting ListItem LiveBlogPosting LocalBusiness NewsArticle Offer OfferCatalog Organization Person Place Product ' +
  'ProductGroup ProductModel ProfilePage Question Recipe Report Restaurant Review SearchResultsPage SocialMediaPosting ' +
  'SoftwareApplication Store Vehicle VideoObject WebPage DiscussionForumPosting'

const properties =
  'acceptedAnswer additionalProperty blogPost comment hasPart hasVariant interactionCount interactionStatistic interactionType ' +
  'item itemListElement itemOffered itemReviewed mainEntity mainEntityOfPage review reviews step suggestedAnswer ' +
  'userInteractionCount value'

const byLowerCase = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name.toLowerCase(), name]))

const typeNames = byLowerCase(types.split(' '))
const propertyNames = byLowerCase([
  ...properties.split(' '),
  ...concepts.flatMap(({ paths }) => paths.flatMap((path) => path.split(/[.=#@]/)).filter(Boolean)),
])

/**
 * Normalizes a type name: `https://schema.org/Product`, `schema:product` and `Product` are the same. An unknown one is
 * returned without its prefix.
 */
export function typeName(name: string): string {
  const last = lastPart(name)
  return typeNames.get(last.toLowerCase()) ?? last
}

/**
 * Normalizes a property name: `https://schema.org/lowPrice`, `schema:lowprice` and `lowPrice` are the same. An unknown
 * one is returned without its prefix.
 */
export function propertyName(name: string): string {
  const last = lastPart(name)
  return propertyNames.get(last.toLowerCase()) ?? last
}

function lastPart(name: string): string {
  return name.trim().replace(/^.*[/#:](?=[^/#:])/s, '')
}
