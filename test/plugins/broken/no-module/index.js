export default { providers: [] };
