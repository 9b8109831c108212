/** The kinds of jobs, in the order in which they are shown. */
export const jobKinds = ['crawl', 'batch', 'extract', 'agent', 'deep_research', 'llmstxt'] as const
