/** Names of the filters in the address. */
export const HOST_FILTERS = ['profile', 'inbound', 'remark', 'address', 'tag'] as const
