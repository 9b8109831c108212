/** The names of the features with endpoints that every server has, without the features. */
export const ownFeatureNames = ['extractors', 'records'] as const
