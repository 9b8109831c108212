/** The possible outcomes of a job. */
export const outcomes = ['scraping', 'completed', 'completed_with_failures', 'failed', 'cancelled'] as const
