// Which requests neither learn nor run recipes.
import { defaultLocation } from '@harvestman/core/plugin'
import type { PageOptions } from '@harvestman/toolbox/page-options'

/** Returns why pages that were requested with these options teach no recipe, and are not replaced by one. */
export function refusalOfOptions({ hasHeaders, hasProfile, isMobile, location }: PageOptions): string | undefined {
  if (hasHeaders)
    return 'Recipes contain no secrets, so none is learned or run with headers of the request. Remove headers.'
  if (hasProfile)
    return 'Recipes are for visitors without a login, so none is learned or run with a profile. Remove profile.'
  if (isMobile) return 'Recipes are for the desktop, and sites may return other items for phones. Remove mobile.'
  if (location && !isDefault(location))
    return 'Recipes are for the default location, and sites may return other items for another one. Remove location.'
  return undefined
}

function isDefault({ country, languages }: NonNullable<PageOptions['location']>): boolean {
  return country === defaultLocation.country && languages.join() === defaultLocation.languages.join()
}
