// The places of citations in a file.
import type { Claim } from '../schema/citation.ts'

/** Where the passages of a file are. */
export interface PlacingContext {
  readonly request: { readonly parsers: readonly { readonly blocks?: boolean | undefined }[] }
  readonly placesInFile: (
    markdown: string,
    passages: readonly (readonly [start: number, end: number])[],
  ) => Promise<readonly (readonly { readonly page: number; readonly box?: readonly number[] | undefined }[])[]>
}

/**
 * Adds to each citation the pages of the file that its quote is on, with the box around its blocks. Without the parser option
 * `blocks`, claims are returned unchanged.
 */
export async function placeCitations(
  claims: readonly Claim[],
  markdown: string,
  { request, placesInFile }: PlacingContext,
): Promise<readonly Claim[]> {
  // In a scrape with `explain`, the places are known without the option, and the claims must not depend on it.
  if (!request.parsers.some(({ blocks }) => blocks === true)) return claims
  const ranges = claims.flatMap(({ citations }) => citations.map(({ start, end }) => [start, end] as const))
  const found = await placesInFile(markdown, ranges)
  let index = 0
  return claims.map((claim) => ({
    ...claim,
    citations: claim.citations.map((one) => {
      const places = (found[index++] ?? []).map(({ page, box }) => ({ page, ...(box && { box: [...box] }) }))
      return places.length > 0 ? { ...one, places } : one
    }),
  }))
}
