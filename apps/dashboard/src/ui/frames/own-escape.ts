/** Of what closes itself on Escape: the dialog around it stays open. */
export const OWN_ESCAPE = { 'data-mantine-stop-propagation': true }
