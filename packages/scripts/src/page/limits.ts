/** Limits of an inspection. A page with more nodes is too large for a script. */
export const pageLimits = { nodes: 50_000, elements: 3_000, text: 120, signs: 60 } as const
